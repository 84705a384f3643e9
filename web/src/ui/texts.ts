import { texts } from "../i18n/texts";

export const words = texts(
  {
    close: "Close",
    cancel: "Cancel",
    save: "Save",
    retry: "Try again",
    loading: "Loading",
    copyFailed: "This browser does not let the page copy.",
    clearSearch: "Clear the search",
  },
  {
    close: "关闭",
    cancel: "取消",
    save: "保存",
    retry: "重试",
    loading: "加载中",
    copyFailed: "此浏览器不允许页面复制。",
    clearSearch: "清除搜索",
  },
);

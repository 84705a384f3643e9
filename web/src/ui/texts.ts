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
    cannotShow: "This cannot be shown",
    notLoaded:
      "This part of the page could not be loaded: the server is away, or newer than the page. What you were writing is kept.",
    crashed: "Something on this page went wrong. What you were writing is kept.",
    reload: "Load the page again",
    stillAway: "The server cannot be reached yet.",
  },
  {
    close: "关闭",
    cancel: "取消",
    save: "保存",
    retry: "重试",
    loading: "加载中",
    copyFailed: "此浏览器不允许页面复制。",
    clearSearch: "清除搜索",
    cannotShow: "无法显示",
    notLoaded: "页面的这一部分无法加载：服务器不在，或者已比此页面更新。您正在写的内容会保留。",
    crashed: "页面出了问题。您正在写的内容会保留。",
    reload: "重新加载页面",
    stillAway: "仍然无法连接服务器。",
  },
);

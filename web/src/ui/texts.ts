import { texts } from "../i18n/texts";

export const words = texts(
  {
    close: "Close",
    cancel: "Cancel",
    save: "Save",
    retry: "Try again",
    loading: "Loading",
  },
  {
    close: "关闭",
    cancel: "取消",
    save: "保存",
    retry: "重试",
    loading: "加载中",
  },
);

import { texts } from "../../i18n/texts";
import { some } from "../texts";

export const words = texts(
  {
    field: "Search what was said",
    hint: "Words, or “a phrase”",
    scope: "Where",
    here: "This conversation",
    everywhere: "All conversations",
    help: "Every word has to be in the message. Words of three letters or more also find longer ones.",
    none: "Nothing was found.",
    noneHere: "Nothing was found in this conversation.",
    searchAll: "Search all conversations",
    found: (count: number, more: boolean) => (more ? `${count} found so far` : `${count} found`),
    results: "What was found",
    more: "Show more",
    onPath: "on the path you see",
    branches: (count: number) => `on ${some(count, "branch", "branches")}`,
  },
  {
    field: "搜索对话内容",
    hint: "词语，或“短语”",
    scope: "范围",
    here: "此对话",
    everywhere: "所有对话",
    help: "消息须包含每个词。三个字母以上的词也会匹配更长的词。",
    none: "没有找到。",
    noneHere: "此对话中没有找到。",
    searchAll: "搜索所有对话",
    found: (count: number, more: boolean) => (more ? `目前找到 ${count} 条` : `找到 ${count} 条`),
    results: "搜索结果",
    more: "显示更多",
    onPath: "在当前路径上",
    branches: (count: number) => `在 ${count} 个分支上`,
  },
);

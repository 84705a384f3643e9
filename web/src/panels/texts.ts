import type { ContextSource } from "../graphql/generated/graphql";
import { texts } from "../i18n/texts";

type SourceName = ContextSource | "SYSTEM";
type Names = Readonly<Record<string, string>>;

const SOURCES = {
  en: {
    SYSTEM: "System prompt",
    RAW: "As written",
    NODE_SUMMARY: "Turn summary",
    ANCHOR_SUMMARY: "Anchor summary",
    COMPACTION: "Compaction",
    BRANCH_SUMMARY: "Branch summary",
    CUSTOM: "Note",
    QUESTION: "Question",
  },
  zh: {
    SYSTEM: "系统提示",
    RAW: "原文",
    NODE_SUMMARY: "单轮摘要",
    ANCHOR_SUMMARY: "锚点摘要",
    COMPACTION: "压缩摘要",
    BRANCH_SUMMARY: "分支摘要",
    CUSTOM: "附注",
    QUESTION: "问题",
  },
} satisfies Record<string, Record<SourceName, string>>;

const ENTRY_TYPES: { en: Names; zh: Names } = {
  en: {
    MESSAGE: "message",
    CUSTOM_MESSAGE: "note of an application",
    MODEL_CHANGE: "change of model",
    THINKING_LEVEL_CHANGE: "change of the thinking level",
    ACTIVE_TOOLS_CHANGE: "change of the tools",
    SESSION_INFO: "change of the name",
    LABEL: "label",
    COMPACTION: "compaction",
    BRANCH_SUMMARY: "branch summary",
    CUSTOM: "application's data",
    LEAF: "record of a move",
  },
  zh: {
    MESSAGE: "消息",
    CUSTOM_MESSAGE: "应用附注",
    MODEL_CHANGE: "更换模型",
    THINKING_LEVEL_CHANGE: "更改思考级别",
    ACTIVE_TOOLS_CHANGE: "更改工具",
    SESSION_INFO: "更改名称",
    LABEL: "标签",
    COMPACTION: "压缩",
    BRANCH_SUMMARY: "分支摘要",
    CUSTOM: "应用数据",
    LEAF: "移动记录",
  },
};

const ROLES: { en: Names; zh: Names } = {
  en: { user: "user", assistant: "assistant", toolResult: "tool result" },
  zh: { user: "用户", assistant: "助手", toolResult: "工具结果" },
};

/** 1 → "1 turn", 2 → "2 turns" */
export const some = (count: number, word: string, words = `${word}s`) =>
  `${count} ${count === 1 ? word : words}`;

export const words = texts(
  {
    source: (it: SourceName) => SOURCES.en[it],
    entryType: (it: string) => ENTRY_TYPES.en[it] ?? it,
    role: (it: string) => ROLES.en[it] ?? it,
    turn: (number: number) => `Turn ${number}`,
    turns: (from: number, to: number) => `Turns ${from}–${to}`,
    all: "Show all",
    less: "Show less",
    noText: "No text",
    more: "More",

    callOf: (tool: string) => `calls ${tool}`,
    resultOf: (tool: string) => `Result of ${tool}`,
    image: "Image",
    summary: "Summary",
    summaries: "Summaries",
    rawTurn: "As it was written",
    rawTurns: "The turns, as they were written",
    earlierTurns: "Show earlier turns",
    nothingRaw: "There are no turns here.",
    olderAnchor: "What stands above was condensed before, and its summary kept as it was.",
    besideHelp: "What was written never changes. The summary only stands for it where the model is asked.",
    turnDetails: (number: number) => `Turn ${number}, and its summaries`,
    noTurn: "This turn is not there any more.",
    anchorOf: "of everything up to and including this turn",
    nodeOf: "of this turn",
    askedAt: "Asked",
    answeredBy: "Answered by",
    allCovered: (count: number) => `All ${count} turns up to here`,
    summaryDone: "The summary is there.",
    summaryNone: "No summary is due: while it is among the last turns, it is sent as it was written.",
    summaryPending: "The summary is being written. Until it is there, the turn is sent as it was written.",
    summaryFailed: "The summary could not be made.",
    summaryFailedWith: (error: string) => `The summary could not be made: ${error}`,
    retrySummary: "Make it again",
  },
  {
    source: (it: SourceName) => SOURCES.zh[it],
    entryType: (it: string) => ENTRY_TYPES.zh[it] ?? it,
    role: (it: string) => ROLES.zh[it] ?? it,
    turn: (number: number) => `第 ${number} 轮`,
    turns: (from: number, to: number) => `第 ${from}–${to} 轮`,
    all: "显示全部",
    less: "收起",
    noText: "无文本",
    more: "更多",

    callOf: (tool: string) => `调用 ${tool}`,
    resultOf: (tool: string) => `${tool} 的结果`,
    image: "图片",
    summary: "摘要",
    summaries: "摘要",
    rawTurn: "原文",
    rawTurns: "各轮原文",
    earlierTurns: "显示更早的轮次",
    nothingRaw: "这里没有轮次。",
    olderAnchor: "以上内容此前已压缩，其摘要原样保留。",
    besideHelp: "写下的内容永不改变。摘要只是在询问模型时代替它。",
    turnDetails: (number: number) => `第 ${number} 轮及其摘要`,
    noTurn: "这一轮已不存在。",
    anchorOf: "截至本轮（含）的全部内容",
    nodeOf: "本轮",
    askedAt: "提问时间",
    answeredBy: "回答模型",
    allCovered: (count: number) => `截至此处的全部 ${count} 轮`,
    summaryDone: "摘要已完成。",
    summaryNone: "暂不需要摘要：处于最近几轮时，按原文发送。",
    summaryPending: "摘要正在生成。完成之前按原文发送。",
    summaryFailed: "未能生成摘要。",
    summaryFailedWith: (error: string) => `未能生成摘要：${error}`,
    retrySummary: "重新生成",
  },
);

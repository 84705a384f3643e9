import type { SummaryKind } from "../../graphql/generated/graphql";
import { texts } from "../../i18n/texts";
import { some } from "../texts";

const KINDS = {
  en: { NODE: "turn summary", ANCHOR: "anchor summary", COMPACTION: "compaction", BRANCH: "branch summary" },
  zh: { NODE: "单轮摘要", ANCHOR: "锚点摘要", COMPACTION: "压缩摘要", BRANCH: "分支摘要" },
} satisfies Record<string, Record<SummaryKind, string>>;

export const words = texts(
  {
    contextIntro: "Exactly what a model would be sent for the next question, in this order.",
    contextRunning: "What was sent for the question that is being answered.",
    totals: "Totals",
    tokensUnit: (count: number): string => (count === 1 ? "token" : "tokens"),
    sent: "Sent",
    fullHistory: "Full history",
    windowOf: "Window of",
    windowUnknown: "not known",
    windowShare: (share: string, window: string) => `${share} of ${window}`,
    reserve: (tokens: string) =>
      `From here on ${tokens} tokens stay free for the answer: beyond, it is compacted`,
    bySource: "Tokens by source",
    legend: (tokens: string, count: number) => `${tokens} in ${some(count, "message")}`,
    saves: (share: string) => `saves ${share}`,
    savesNothing: "nothing to save yet",
    costsMore: (share: string) => `${share} over full history`,
    messages: (count: number) => some(count, "message"),
    noMessages: "Nothing has been said here. Write a question, and it is shown as it would be sent.",
    origins: "Turns that it came from",
    readBeside: "Read beside the raw turns",
    beside: (source: string, span: { from: number; to: number } | null) =>
      span === null
        ? source
        : `${source} of ${span.from === span.to ? `turn ${span.to}` : `turns ${span.from}–${span.to}`}`,
    breakpoint: "Cached up to here",
    breakpointHelp:
      "What comes up to here stays the same for the next question, so the provider can reuse it.",
    leftOut: "Left out",
    nothingLeftOut: "Nothing: every turn is sent as it was written.",
    replacedByBoundary: (count: number) =>
      `${count === 1 ? "turn is" : "turns are"} not sent as written: the summary at the beginning stands for ${count === 1 ? "it" : "them"}`,
    replacedByOwn: (count: number) =>
      `${count === 1 ? "turn is" : "turns are"} not sent as written: ${count === 1 ? "its own summary stands for it" : "their own summaries stand for them"}`,
    omitted_neverSent: (count: number, type: string) =>
      `${count === 1 ? "entry" : "entries"} of the kind “${type}”, which no model is sent`,
    omitted_awaited: (count: number) =>
      `${count === 1 ? "summary whose text is" : "summaries whose texts are"} not there yet`,
    omitted_older: (count: number) =>
      `older ${count === 1 ? "summary" : "summaries"} of what came before: the newest covers ${count === 1 ? "it" : "them"}`,
    omitted_resultAlone: (count: number) =>
      `${count === 1 ? "tool result whose call is" : "tool results whose calls are"} not on this path`,
    omitted_callAlone: (count: number, tool: string) =>
      `${count === 1 ? "call" : "calls"} of the tool “${tool}” without a result on this path`,
    omitted_empty: (count: number) => `${count === 1 ? "message" : "messages"} without content`,
    compact: "Compact now",
    compacting: "Compacting…",
    compactHelp:
      "What lies further back is replaced, from here down, by one summary. Nothing is deleted, and other branches stay as they are.",
    instructions: "What matters (optional)",
    instructionsHint: "Keep all numbers and file names.",
    nothingToCompact: "There was nothing to gain, so nothing was written.",
    compacted: (before: string, after: string) => `Compacted: ${before} tokens before, ${after} now.`,
    pendingOnPath: (count: number) =>
      `${count === 1 ? "1 summary is" : `${count} summaries are`} being written; until then the turns are sent as written.`,
    failedOnPath: (count: number) =>
      `${count === 1 ? "1 summary" : `${count} summaries`} could not be made; the turns are sent as written.`,
    landed: (kind: SummaryKind, done: boolean) =>
      done ? `The ${KINDS.en[kind]} has arrived.` : `The ${KINDS.en[kind]} could not be made.`,
  },
  {
    contextIntro: "下一个问题将按此顺序、原样发送给模型的内容。",
    contextRunning: "正在回答的问题所发送的内容。",
    totals: "合计",
    tokensUnit: () => "词元",
    sent: "发送",
    fullHistory: "完整历史",
    windowOf: "模型窗口",
    windowUnknown: "未知",
    windowShare: (share: string, window: string) => `${window} 的 ${share}`,
    reserve: (tokens: string) => `此后保留 ${tokens} 词元给回答；超出则压缩`,
    bySource: "按来源统计的词元",
    legend: (tokens: string, count: number) => `${tokens}，${count} 条消息`,
    saves: (share: string) => `节省 ${share}`,
    savesNothing: "尚无可节省",
    costsMore: (share: string) => `比完整历史多 ${share}`,
    messages: (count: number) => `${count} 条消息`,
    noMessages: "这里还没有内容。写下问题，就会显示它将如何发送。",
    origins: "来自这些轮次",
    readBeside: "与原文对照阅读",
    beside: (source: string, span: { from: number; to: number } | null) =>
      span === null
        ? source
        : `${source}：第 ${span.from === span.to ? span.to : `${span.from}–${span.to}`} 轮`,
    breakpoint: "缓存至此",
    breakpointHelp: "到此为止的内容对下一个问题保持不变，提供方可以重用。",
    leftOut: "省略的内容",
    nothingLeftOut: "没有：每一轮都按原文发送。",
    replacedByBoundary: () => "轮未按原文发送：由开头的摘要代替",
    replacedByOwn: () => "轮未按原文发送：由各自的摘要代替",
    omitted_neverSent: (_: number, type: string) => `条“${type}”记录，从不发送给模型`,
    omitted_awaited: () => "个摘要的文本尚未完成",
    omitted_older: () => "个较早的摘要：已由最新的摘要涵盖",
    omitted_resultAlone: () => "个工具结果，其调用不在此路径上",
    omitted_callAlone: (_: number, tool: string) => `次对工具“${tool}”的调用，在此路径上没有结果`,
    omitted_empty: () => "条没有内容的消息",
    compact: "立即压缩",
    compacting: "正在压缩…",
    compactHelp: "从此处往下，更早的内容由一段摘要代替。不会删除任何内容，其他分支保持不变。",
    instructions: "重点（可选）",
    instructionsHint: "保留所有数字和文件名。",
    nothingToCompact: "压缩没有好处，因此未写入任何内容。",
    compacted: (before: string, after: string) => `已压缩：之前 ${before} 词元，现在 ${after}。`,
    pendingOnPath: (count: number) => `正在生成 ${count} 个摘要；完成之前按原文发送。`,
    failedOnPath: (count: number) => `${count} 个摘要未能生成；相应轮次按原文发送。`,
    landed: (kind: SummaryKind, done: boolean) =>
      done ? `${KINDS.zh[kind]}已完成。` : `未能生成${KINDS.zh[kind]}。`,
  },
);

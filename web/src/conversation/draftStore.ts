import { create } from "zustand";

/** The question that is being written. */
export const useDraft = create<{ text: string }>()(() => ({ text: "" }));

/**
 * Letters of mathematical alphabets. Browsers follow MathML Core, where `mathvariant` is all but gone: the ℝ of
 * `\mathbb{R}` has to be that character of Unicode.
 */

interface Alphabet {
  capitals: number;
  smalls: number;
  digits?: number;
}

const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  bold: { capitals: 0x1d400, smalls: 0x1d41a, digits: 0x1d7ce },
  italic: { capitals: 0x1d434, smalls: 0x1d44e },
  "bold-italic": { capitals: 0x1d468, smalls: 0x1d482, digits: 0x1d7ce },
  script: { capitals: 0x1d49c, smalls: 0x1d4b6 },
  fraktur: { capitals: 0x1d504, smalls: 0x1d51e },
  "double-struck": { capitals: 0x1d538, smalls: 0x1d552, digits: 0x1d7d8 },
  "bold-fraktur": { capitals: 0x1d56c, smalls: 0x1d586 },
  "sans-serif": { capitals: 0x1d5a0, smalls: 0x1d5ba, digits: 0x1d7e2 },
  "bold-sans-serif": { capitals: 0x1d5d4, smalls: 0x1d5ee, digits: 0x1d7ec },
  "sans-serif-italic": { capitals: 0x1d608, smalls: 0x1d622, digits: 0x1d7e2 },
  monospace: { capitals: 0x1d670, smalls: 0x1d68a, digits: 0x1d7f6 },
};

/** Letters that Unicode had before these alphabets, and which are holes in them. */
const EARLIER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  italic: { h: "ℎ" },
  script: { B: "ℬ", E: "ℰ", F: "ℱ", H: "ℋ", I: "ℐ", L: "ℒ", M: "ℳ", R: "ℛ", e: "ℯ", g: "ℊ", o: "ℴ" },
  fraktur: { C: "ℭ", H: "ℌ", I: "ℑ", R: "ℜ", Z: "ℨ" },
  "double-struck": { C: "ℂ", H: "ℍ", N: "ℕ", P: "ℙ", Q: "ℚ", R: "ℝ", Z: "ℤ" },
};

/** Greek: where the small letters start, from α; capitals from Α. */
const GREEK: Readonly<Record<string, { capitals: number; smalls: number }>> = {
  bold: { capitals: 0x1d6a8, smalls: 0x1d6c2 },
  italic: { capitals: 0x1d6e2, smalls: 0x1d6fc },
  "bold-italic": { capitals: 0x1d71c, smalls: 0x1d736 },
  "bold-sans-serif": { capitals: 0x1d756, smalls: 0x1d770 },
};

/** A text in the letters of a `mathvariant`; what has none there stays as it is. */
export function inAlphabet(text: string, variant: string): string {
  const alphabet = ALPHABETS[variant];
  if (!alphabet) return text;
  const greek = GREEK[variant];
  return Array.from(text, (letter) => {
    const earlier = EARLIER[variant]?.[letter];
    if (earlier) return earlier;
    const code = letter.codePointAt(0) as number;
    if (letter >= "A" && letter <= "Z") return String.fromCodePoint(alphabet.capitals + code - 65);
    if (letter >= "a" && letter <= "z") return String.fromCodePoint(alphabet.smalls + code - 97);
    if (alphabet.digits && letter >= "0" && letter <= "9")
      return String.fromCodePoint(alphabet.digits + code - 48);
    if (greek && letter >= "Α" && letter <= "Ω") return String.fromCodePoint(greek.capitals + code - 0x391);
    if (greek && letter >= "α" && letter <= "ω") return String.fromCodePoint(greek.smalls + code - 0x3b1);
    return letter;
  }).join("");
}

/** Letters of the Latin alphabets that Unicode does not split into a base letter and a mark. */
const unsplit: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}
const unsplitLetter = new RegExp(`[${Object.keys(unsplit).join('')}]`, 'g')

/** A text as lowercase words of a-z and 0-9 with dashes between them; empty where nothing of it is left. */
export function slugOf(text: string, longest: number): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(unsplitLetter, (letter) => unsplit[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, longest)
    .replace(/-+$/, '')
}

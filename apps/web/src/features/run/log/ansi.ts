/** A colour by its name: the page has one for each that can be read on its ground, light and dark. */
export type Hue = 'red' | 'yellow' | 'green' | 'cyan' | 'blue' | 'magenta' | 'grey'

export interface Look {
  text?: Hue | undefined
  ground?: Hue | undefined
  isBold?: boolean
  isFaint?: boolean
  isItalic?: boolean
  isUnderlined?: boolean
  isStruck?: boolean
  isInverse?: boolean
}

export interface Span {
  text: string
  look: Look
}

// What a terminal acts on (ECMA-48). One that is not complete stays, and its ESC is drawn as a sign.
const csi = String.raw`(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])`
const strings = String.raw`\u001b[P\]X^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)`
const others = String.raw`\u001b[ -/]*[0-OQ-WYZ\\${'`'}a-~]`
const sequences = new RegExp(`${csi}|${strings}|${others}`, 'g')

/** The text of a line without what only a terminal acts on. */
export function withoutSequences(text: string): string {
  return text.includes('\u001b') || text.includes('\u009b') ? text.replace(sequences, '') : text
}

/** A line as spans of one look each. Colours and their like are kept, and end with the line; all else is dropped. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = []
  let look: Look = {}
  let at = 0
  for (const found of text.matchAll(sequences)) {
    if (found.index > at) spans.push({ text: text.slice(at, found.index), look })
    at = found.index + found[0].length
    if (found[2] === 'm') look = lookAfter(look, found[1] ?? '')
  }
  if (at < text.length) spans.push({ text: text.slice(at), look })
  return spans
}

const simple: Readonly<Record<number, Look>> = {
  1: { isBold: true },
  2: { isFaint: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  22: { isBold: false, isFaint: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
  39: { text: undefined },
  49: { ground: undefined },
}

/** The eight colours of a terminal; black and white are those of any text, so that they can be read on any ground. */
const basic = [undefined, 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', undefined] as const

/** Select Graphic Rendition: what its numbers make of the look before. */
function lookAfter(before: Look, given: string): Look {
  const codes = given.split(/[;:]/).map(Number)
  let look = before
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0
    if (code === 0) look = {}
    else if (code === 38 || code === 48 || code === 58) {
      const { hue, used } = colourAt(codes, index + 1)
      index += used
      if (code !== 58) look = { ...look, [code === 38 ? 'text' : 'ground']: hue }
    } else look = { ...look, ...(simple[code] ?? basicLook(code)) }
  }
  return look
}

function basicLook(code: number): Look {
  const [tens, ones] = [Math.floor(code / 10), code % 10]
  if (ones > 7) return {}
  const bright = ones === 0 ? 'grey' : basic[ones]
  if (tens === 3) return { text: basic[ones] }
  if (tens === 9) return { text: bright }
  if (tens === 4) return { ground: basic[ones] }
  return tens === 10 ? { ground: bright } : {}
}

/** A colour of the 256, or by its parts; and how many numbers say it. */
function colourAt(codes: readonly number[], at: number): { hue: Hue | undefined; used: number } {
  const [kind, one = 0, two = 0, three = 0] = codes.slice(at, at + 4)
  if (kind === 5) return { hue: hueOf256(one), used: 2 }
  if (kind === 2) return { hue: nearestHue(one, two, three), used: 4 }
  return { hue: undefined, used: 0 }
}

function hueOf256(index: number): Hue | undefined {
  if (index < 8) return basic[index]
  if (index < 16) return index === 8 ? 'grey' : basic[index - 8]
  if (index >= 232) return greyOf((index - 232) * 10 + 8)
  const cube = index - 16
  const part = (value: number) => (value === 0 ? 0 : 55 + value * 40)
  return nearestHue(part(Math.floor(cube / 36)), part(Math.floor(cube / 6) % 6), part(cube % 6))
}

function nearestHue(red: number, green: number, blue: number): Hue | undefined {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  if (most - least < 40) return greyOf(most)
  const sixth = 60 / (most - least)
  const angle =
    most === red
      ? (green - blue) * sixth
      : most === green
        ? 120 + (blue - red) * sixth
        : 240 + (red - green) * sixth
  const degrees = (angle + 360) % 360
  if (degrees < 20 || degrees >= 335) return 'red'
  if (degrees < 70) return 'yellow'
  if (degrees < 160) return 'green'
  if (degrees < 200) return 'cyan'
  return degrees < 260 ? 'blue' : 'magenta'
}

/** Neither nearly black nor nearly white. */
function greyOf(brightness: number): Hue | undefined {
  return brightness > 60 && brightness < 200 ? 'grey' : undefined
}

/** The spans cut where a word that is looked for begins and ends, whatever look it has. */
export function markedSpans(spans: readonly Span[], term: string): (Span & { isFound: boolean })[] {
  const all = spans.map(({ text }) => text).join('')
  const ranges = rangesOf(all.toLowerCase(), term.toLowerCase())
  let at = 0
  return spans.flatMap(({ text, look }) => {
    const [start, end] = [at, at + text.length]
    at = end
    const cuts = ranges.flat().filter((cut) => cut > start && cut < end)
    const edges = [start, ...cuts, end]
    return edges.slice(1).map((edge, index) => {
      const from = edges[index] ?? start
      const isFound = ranges.some(([first, last]) => first <= from && edge <= last)
      return { text: all.slice(from, edge), look, isFound }
    })
  })
}

function rangesOf(text: string, term: string): [number, number][] {
  if (term === '') return []
  const ranges: [number, number][] = []
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + term.length)) {
    ranges.push([at, at + term.length])
  }
  return ranges
}

import { crc32, deflateSync, inflateSync } from 'node:zlib'

interface Pixels {
  width: number
  height: number
  /** Channels of a pixel: 3, or 4 with the opacity, which is not needed in a screenshot. */
  channels: number
  bytes: Buffer
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The same picture in at most 256 colours, a third of its size: a page has few, and shades of them around letters. */
export function smallPng(png: Buffer): Buffer {
  const pixels = readPng(png)
  for (const lostBits of [0, 2, 3, 4]) {
    const found = inPalette(pixels, lostBits)
    if (found) return writePng(pixels, found)
  }
  return png
}

interface Indexed {
  palette: number[][]
  /** Rows of one byte a pixel, each after a byte that says how it is filtered: not at all. */
  rows: Buffer
}

/** Colours that differ in the last bits alone become the first of them; undefined when more than 256 are left. */
function inPalette(pixels: Pixels, lostBits: number): Indexed | undefined {
  const { width, height, channels, bytes } = pixels
  const known = new Map<number, number>()
  const palette: number[][] = []
  const rows = Buffer.alloc((width + 1) * height)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const colour = [...bytes.subarray(pixel * channels, pixel * channels + 3)]
    const rough = colour.reduce((all, part) => (all << 8) | (part >> lostBits), 0)
    const index = known.get(rough) ?? palette.push(colour) - 1
    if (index > 255) return undefined
    known.set(rough, index)
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = index
  }
  return { palette, rows }
}

function writePng({ width, height }: Pixels, { palette, rows }: Indexed): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits a pixel, of a palette
  head.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}

/** Reads a PNG as browsers write it: 8 bits a channel, in colour, not interlaced. */
function readPng(png: Buffer): Pixels {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const channels = png.readUInt8(25) === 6 ? 4 : 3
  const data: Buffer[] = []
  for (let at = signature.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT'
    if (isData) data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const filtered = inflateSync(Buffer.concat(data))
  return { width, height, channels, bytes: unfilter(filtered, width * channels, channels) }
}

/** Each byte was written as its difference from what its neighbours say: left, above, and left above. */
function unfilter(filtered: Buffer, rowBytes: number, channels: number): Buffer {
  const height = filtered.length / (rowBytes + 1)
  const bytes = Buffer.alloc(rowBytes * height)
  for (let row = 0; row < height; row += 1) {
    const filter = filtered[row * (rowBytes + 1)] ?? 0
    for (let column = 0; column < rowBytes; column += 1) {
      const at = row * rowBytes + column
      const isFirst = column < channels
      const left = isFirst ? 0 : (bytes[at - channels] ?? 0)
      const above = bytes[at - rowBytes] ?? 0
      const corner = isFirst ? 0 : (bytes[at - rowBytes - channels] ?? 0)
      const predicted =
        [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter] ?? 0
      bytes[at] = (filtered[row * (rowBytes + 1) + 1 + column] ?? 0) + predicted
    }
  }
  return bytes
}

function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((one) => Math.abs(guess - one))
  if (Number(byLeft) <= Number(byAbove) && Number(byLeft) <= Number(byCorner)) return left
  return Number(byAbove) <= Number(byCorner) ? above : corner
}

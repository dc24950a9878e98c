import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

/** One answer for A and AAAA together; `silent` never answers, `missing` is NXDOMAIN. */
export type Zone = (name: string, question: number) => ZoneAnswer

export type ZoneAnswer =
  | { addresses: readonly string[]; cname?: string; ttl?: number }
  | 'silent'
  | 'missing'

export interface DnsServer extends AsyncDisposable {
  /** For `dnsServers` of a policy. */
  address: string
  asked: string[]
}

/** Answers for every name by `zone`; `question` counts the questions for the name's A record. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  const counts = new Map<string, number>()
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message)
    const count = (counts.get(name) ?? 0) + (type === A ? 1 : 0)
    counts.set(name, count)
    asked.push(`${name} ${type === A ? 'A' : 'AAAA'}`)
    const answer = zone(name, count)
    if (answer !== 'silent')
      socket.send(encode(message, end, type, answer), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const A = 1
const CNAME = 5
const AAAA = 28

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let size = message.readUInt8(at); size > 0; size = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + size))
    at += 1 + size
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function encode(
  message: Buffer,
  questionEnd: number,
  type: number,
  answer: Exclude<ZoneAnswer, 'silent'>,
): Buffer {
  const records: Buffer[] = []
  if (answer !== 'missing') {
    const ttl = answer.ttl ?? 0
    const owner = answer.cname === undefined ? Buffer.from([0xc0, 12]) : encodeName(answer.cname)
    if (answer.cname !== undefined) {
      records.push(encodeRecord(Buffer.from([0xc0, 12]), CNAME, ttl, encodeName(answer.cname)))
    }
    for (const address of answer.addresses) {
      if (type !== (isIPv4(address) ? A : AAAA)) continue
      records.push(encodeRecord(owner, type, ttl, encodeAddress(address)))
    }
  }
  const header = Buffer.alloc(12)
  message.copy(header, 0, 0, 2)
  // A recursive answer without an error, or NXDOMAIN.
  header.writeUInt16BE(answer === 'missing' ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, message.subarray(12, questionEnd), ...records])
}

function encodeRecord(owner: Buffer, type: number, ttl: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`\0${label}`, 'latin1'))
  for (const label of labels) label.writeUInt8(label.length - 1, 0)
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

function encodeAddress(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [left = '', right] = address.split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  const missing = 8 - groups(left).length - groups(right).length
  const all = [
    ...groups(left),
    ...Array<string>(right === undefined ? 0 : missing).fill('0'),
    ...groups(right),
  ]
  const bytes = Buffer.alloc(16)
  for (const [index, group] of all.entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2)
  return bytes
}

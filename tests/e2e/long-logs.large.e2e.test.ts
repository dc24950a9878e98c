import { runInTest } from '@svc/cli/testing/cli'
import { createTestDatabase } from '@svc/testing/database'
import { expect, test } from 'vitest'
import { printedLines } from './support/agents.ts'
import type { Scene } from './support/scene.ts'
import { openService } from './support/service.ts'

const gapOf = (skipped: number) => `\n… ${skipped} bytes of output are not kept …\n`

interface ReadLog {
  /** What is kept, piece by piece; a gap stands between two of them. */
  parts: string[]
  gaps: string[]
  skipped: number[]
  length: number
}

/** From its beginning to its end, by what the headers say. */
async function readLog({ client }: Scene, id: string): Promise<ReadLog> {
  const read: ReadLog = { parts: [''], gaps: [], skipped: [], length: 0 }
  for (let offset = 0; ;) {
    const { bytes, headers } = await client.call('getRunLog', { id, offset })
    const next = Number(headers['x-svc-next-offset'])
    const skipped = Number(headers['x-svc-skipped'])
    const kept = bytes.subarray(bytes.length - (next - Number(headers['x-svc-offset'])))
    if (skipped > 0) {
      read.skipped.push(skipped)
      read.gaps.push(Buffer.from(bytes.subarray(0, bytes.length - kept.length)).toString())
      read.parts.push('')
    }
    read.parts.push((read.parts.pop() ?? '') + Buffer.from(kept).toString('latin1'))
    read.length = Number(headers['x-svc-length'])
    if (next === offset) return read
    offset = next
  }
}

/** The numbers of the lines that are there as a whole. */
const linesIn = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => (/^[0-9]{9} \S+ \S+$/.test(line) ? [Number(line.slice(0, 9))] : []))

/** Ones that follow each other. */
const from = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)

test.for([
  [100, 'all of it', 0],
  [16, 'its beginning and its end', 1],
] as const)(
  'an agent that prints 100 MB, where a run keeps %s MiB, is kept with %s',
  { timeout: 600_000 },
  async ([mebibytes, , gapCount]) => {
    await using database = await createTestDatabase()
    const limits = { SVC_RUN_LOG_MIB: String(mebibytes), SVC_LIMIT_AGENT_CALLS: '1000' }
    await using service = await openService(database.connectionString, limits)
    await using scene = await service.scene({ repository: true })
    const machine = await scene.machine()
    const { id } = await scene.launch('prints-much')
    const ended = await scene.untilEnded()
    await machine.settled()
    expect(ended.outcome).toBe('delivered')

    const { parts, gaps, skipped, length } = await readLog(scene, id)
    const text = parts.join('')
    expect(text.includes(scene.token) || /svcrt_[0-9a-z]/.test(text)).toBe(false)
    expect(text).toContain('[masked]')
    expect(length).toBeGreaterThan(90_000_000)
    expect(text.length).toBe(Math.min(length, mebibytes * 2 ** 20))
    expect(skipped).toHaveLength(gapCount)
    expect(text.length + skipped.reduce((sum, one) => sum + one, 0)).toBe(length)
    expect(gaps).toEqual(skipped.map(gapOf))
    const lines = parts.map(linesIn)
    const [first = [], last = []] = [lines[0], lines.at(-1)]
    expect(first).toEqual(from(0, first.length))
    expect(last).toEqual(from(printedLines - last.length, last.length))

    const env = { SVC_BACKEND_URL: service.baseUrl, SVC_USER_TOKEN: scene.token }
    const end = await runInTest(env, 'logs', id, '-n', '5', '--raw')
    expect(text.endsWith(end.stdout)).toBe(true)
    expect(end.stdout.split('\n')).toHaveLength(6)
    const whole = await runInTest(env, 'logs', id, '--raw')
    expect(whole.stdout.match(/… [0-9]+ bytes of output are not kept …/g) ?? []).toEqual(
      gaps.map((gap) => gap.trim()),
    )
  },
)

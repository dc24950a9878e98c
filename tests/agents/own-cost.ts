import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { connectorOptions } from '@svc/cli/agents/connection'
import { median } from '../bench/figures.ts'
import type { InstalledSvc } from './installed-svc.ts'
import { proportionalMemory } from './measure.ts'
import type { Recording } from './recording.ts'

const file = join(import.meta.dirname, 'own-cost.json')
const samples = 5

const OwnCost = z.strictObject({
  on: z.iso.date(),
  bare: z.strictObject({ megabytes: z.number(), startSeconds: z.number() }),
  /** Of the runs that were tried. */
  supervisor: z.strictObject({ megabytes: z.number() }),
  /** `svc mcp`, up to its first answer. */
  connector: z.strictObject({ megabytes: z.number(), startSeconds: z.number() }),
  /** Of each package, as it is downloaded. */
  kilobytes: z.record(z.string(), z.number()),
})
export type OwnCost = z.infer<typeof OwnCost>

export const readOwnCost = () => OwnCost.parse(JSON.parse(readFileSync(file, 'utf8')))

export function writeOwnCost(cost: OwnCost): void {
  writeFileSync(file, `${JSON.stringify(OwnCost.parse(cost), null, 2)}\n`)
}

/** What our processes of a run take, next to bare ones of Node, as they are installed. */
export async function measureOwn(
  { program, tarballs }: InstalledSvc,
  recordings: readonly Recording[],
  connection: Record<string, string>,
): Promise<OwnCost> {
  const bare = ['-e', "console.log('here'); setInterval(() => undefined, 1000)"]
  return {
    on: new Date().toISOString().slice(0, 10),
    bare: await measure(bare, {}),
    supervisor: { megabytes: median(recordings.map(({ figures }) => figures.ownMegabytes)) },
    connector: await measure([...connectorOptions, program, 'mcp'], connection),
    kilobytes: Object.fromEntries(
      tarballs.map((path) => [
        basename(path).replace(/-\d.*$/, ''),
        Math.round(statSync(path).size / 1024),
      ]),
    ),
  }
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'figures', version: '1' },
  },
}

/** Of several, one after the other: from the spawn to the first line of output, and the memory after that. */
async function measure(args: readonly string[], env: Record<string, string>) {
  const taken: { megabytes: number; startSeconds: number }[] = []
  for (let sample = 0; sample < samples; sample += 1) {
    const begun = performance.now()
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.write(`${JSON.stringify(initialize)}\n`)
    await once(createInterface({ input: child.stdout }), 'line')
    const startSeconds = (performance.now() - begun) / 1000
    // it has cleared up by then
    await delay(2_000)
    taken.push({ megabytes: proportionalMemory(child.pid ?? 0), startSeconds })
    await end(child)
  }
  return {
    megabytes: Math.round(median(taken.map(({ megabytes }) => megabytes))),
    startSeconds: Number(median(taken.map(({ startSeconds }) => startSeconds)).toFixed(2)),
  }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** What they add to as many bare ones. */
export function sayOwnCost({ bare, supervisor, connector, kilobytes }: OwnCost): string {
  const beyond = (megabytes: number) => Math.max(0, Math.round(megabytes - bare.megabytes))
  const later = Math.max(0, connector.startSeconds - bare.startSeconds).toFixed(2)
  const both = beyond(supervisor.megabytes) + beyond(connector.megabytes)
  return `The supervisor of a run takes ${supervisor.megabytes} MB and the connector that an agent may start ${connector.megabytes} MB, a bare Node ${bare.megabytes} MB: together ${both} MB beyond two bare ones, as proportional memory. The connector answers ${connector.startSeconds} s after its start, a bare Node ${bare.startSeconds} s: ${later} s later. What is installed: ${Object.entries(
    kilobytes,
  )
    .map(([name, size]) => `${name} ${size} KB`)
    .join(', ')}.`
}

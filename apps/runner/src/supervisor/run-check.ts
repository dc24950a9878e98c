import { mkdirSync, rmSync } from 'node:fs'
import type { CheckResult } from '@svc/contracts/check'
import { limits } from '@svc/contracts/limits'
import { maskAndClean } from '../output/for-others.ts'
import { checkEnvironment } from '../plan/environment.ts'
import { checkMark } from '../processes/find-processes.ts'
import { endRunProcesses } from '../processes/graceful-termination.ts'
import { type Exit, exitOf, startProcess } from '../processes/start-process.ts'
import type { Run } from '../run/run.ts'
import { textForOthers } from '../run/text-for-others.ts'
import { orAborted } from './stopping.ts'

/** What is kept of an output before it is masked: a flood costs no more than this. */
const bytesKept = 256 * 1024
const drainMs = 500

export interface Check {
  name: string
  command: string
  timeoutSeconds?: number | undefined
}

export interface CheckSurroundings {
  workingDirectory: string
  /** What the agent was started with. */
  environment: Readonly<Record<string, string>>
  spellings: () => readonly string[]
  attempt: number
}

/**
 * Runs one check to its end, outside of the agent's sandbox, in a process group of its own, and ends whatever it leaves.
 * Throws where the signal aborts meanwhile.
 */
export async function runCheck(
  run: Run,
  { name, command, timeoutSeconds = limits.checkSeconds }: Check,
  around: CheckSurroundings,
  signal: AbortSignal,
): Promise<CheckResult> {
  const began = performance.now()
  const mark = `${around.attempt}.${name}`
  const tmpDirectory = checkTmpOf(run)
  mkdirSync(tmpDirectory, { recursive: true, mode: 0o700 })
  const overtime = AbortSignal.timeout(timeoutSeconds * 1000)
  const environment = { ...checkEnvironment(around.environment, tmpDirectory), [checkMark]: mark }
  const { child, identity } = await startProcess('/bin/sh', ['-c', `exec 2>&1\n${command}`], {
    workingDirectory: around.workingDirectory,
    environment,
  })
  const printed = keepEnd()
  child.stdout?.on('data', printed.push)
  const closed = new Promise<void>((resolve) => child.stdout?.once('close', () => resolve()))
  let exit: Exit | undefined
  try {
    exit = await orAborted(exitOf(child), AbortSignal.any([signal, overtime]))
  } catch (error) {
    if (!overtime.aborted || signal.aborted) throw error
  } finally {
    await endRunProcesses([identity], { ...run.marker, check: mark }, run.order.timing)
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainMs).unref())])
    child.stdout?.destroy()
    removeTmp(run, tmpDirectory)
  }
  const seconds = (performance.now() - began) / 1000
  return {
    name,
    outcome: exit === undefined ? 'timed_out' : exit.exitCode === 0 ? 'passed' : 'failed',
    exitCode: exit?.exitCode ?? null,
    seconds: Math.round(seconds * 1000) / 1000,
    output: shown(run, printed.end(), around.spellings()),
  }
}

/** Next to the agent's own, in which the session key lies. */
export function checkTmpOf({ tmpDirectory }: Pick<Run, 'tmpDirectory'>): string {
  return `${tmpDirectory}.check`
}

/** The last bytes of a stream, whatever comes before them. */
function keepEnd() {
  const chunks: Buffer[] = []
  let size = 0
  let isCut = false
  return {
    push: (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      // a chunk is never larger than bytesKept
      while (size - (chunks[0]?.length ?? 0) >= bytesKept) {
        size -= chunks.shift()?.length ?? 0
        isCut = true
      }
    },
    end: () => ({ bytes: Buffer.concat(chunks), isCut }),
  }
}

/** Its end, masked. Where what came before is gone, a secret may have been cut there: as much as one may have is left out. */
function shown(
  run: Run,
  { bytes, isCut }: { bytes: Buffer; isCut: boolean },
  spellings: readonly string[],
): string {
  const masked = maskAndClean(bytes.toString('utf8'), spellings)
  const longest = Math.max(longestForm, ...spellings.map(({ length }) => length))
  const whole = isCut ? masked.slice(longest) : masked
  const { checkOutputCharacters: most } = limits
  return textForOthers(whole, run.order, run.env).slice(-most).toWellFormed()
}

/** More than any secret that is known by its form. */
const longestForm = 8_192

function removeTmp(run: Run, path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    // programs leave folders there that are protected against writing
    run.log.warn({ err: error }, 'the scratch folder of a check could not be removed')
  }
}

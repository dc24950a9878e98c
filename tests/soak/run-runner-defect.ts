import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { killAll, processesWith } from '../e2e/support/processes.ts'
import { type Mistake, root } from '../model/plant.ts'
import { requireFits } from '../model/run-defect.ts'
import { hasLarger } from '../doses.ts'
import type { RunnerDefect } from './runner-defects.ts'

const preload = new URL('plant-everywhere.ts', import.meta.url).href

/** Those fields of vitest's report that are read here. */
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(z.object({ failureMessages: z.array(z.string()) })),
    }),
  ),
})

export type Noticed = { isCaught: boolean; says: string }

/**
 * What the test that is to see the mistake says of it. It has to pass without the mistake, on this machine as it is now;
 * one that runs out of time has waited for what may yet come, and seen nothing.
 */
export async function runRunnerDefect(
  defect: RunnerDefect,
  signal?: AbortSignal,
): Promise<Noticed> {
  await requireFits(defect)
  const { noticedBy, name, ...mistake } = defect
  const without = await runTest(noticedBy, undefined, signal)
  if (without.failed > 0 || without.passed === 0) {
    const why = without.failed > 0 ? 'fails without the mistake' : 'ran no such test'
    throw new Error(`"${name}": ${noticedBy.file} ${why}: ${without.says}`)
  }
  const { failed, says } = await runTest(noticedBy, { name, ...mistake }, signal)
  return judgeRun(failed, says)
}

export function judgeRun(failed: number, says: string): Noticed {
  if (failed === 0) return { isCaught: false, says: 'it passes' }
  return { isCaught: !/\btimed out\b/i.test(says), says }
}

async function runTest(
  { file, test }: RunnerDefect['noticedBy'],
  mistake: Mistake | undefined,
  signal: AbortSignal | undefined,
) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-defect-'))
  const output = join(folder, 'report.json')
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    ...(mistake && { NODE_OPTIONS: `--import=${preload}` }),
    SVC_TEST_MISTAKE: JSON.stringify({ ...mistake, run: folder }),
  }
  const marker = `SVC_TEST_MISTAKE=${env.SVC_TEST_MISTAKE}`
  // of a file with larger doses it takes all tests
  const mode = hasLarger(file) ? 'large' : 'test'
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--mode', mode, file, '-t', test]
  const report = ['--reporter=json', `--outputFile=${output}`]
  try {
    const child = spawn(process.execPath, [...vitest, ...report], {
      cwd: root,
      env,
      stdio: 'ignore',
      ...(signal && { signal }),
    })
    await once(child, 'exit')
    return summaryOf(Report.parse(JSON.parse(await readFile(output, 'utf8'))))
  } finally {
    // a test that fails in the middle of a run leaves it
    killAll(processesWith(marker))
    await rm(folder, { recursive: true })
  }
}

function summaryOf(report: z.infer<typeof Report>) {
  const [first = ''] = report.testResults.flatMap(({ message, assertionResults }) => [
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
    message,
  ])
  return {
    failed: report.numFailedTests,
    passed: report.numPassedTests,
    says: first.split('\n')[0] ?? '',
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { killAll, processesWith } from '../e2e/support/processes.ts'
import { root } from '../model/plant.ts'
import { requireFits } from '../model/run-defect.ts'
import type { RunnerDefect } from './runner-defects.ts'

const preload = new URL('plant-everywhere.ts', import.meta.url).href

/** Of vitest's report what is asked for here. */
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

/** What the test that is to see the mistake says of it; undefined when it passes. */
export async function runRunnerDefect(defect: RunnerDefect): Promise<string | undefined> {
  await requireFits(defect)
  const { failed, passed, says } = await runTest(defect)
  if (failed + passed === 0) {
    throw new Error(`"${defect.name}": ${defect.noticedBy.file} ran no such test: ${says}`)
  }
  return failed === 0 ? undefined : says
}

async function runTest({ noticedBy: { file, test }, ...mistake }: RunnerDefect) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-defect-'))
  const output = join(folder, 'report.json')
  const { PATH, HOME, TMPDIR } = process.env
  const env = {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    NODE_OPTIONS: `--import=${preload}`,
    SVC_TEST_MISTAKE: JSON.stringify(mistake),
  }
  const marker = `SVC_TEST_MISTAKE=${env.SVC_TEST_MISTAKE}`
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', file, '-t', test]
  const report = ['--reporter=json', `--outputFile=${output}`]
  try {
    const child = spawn(process.execPath, [...vitest, ...report], {
      cwd: root,
      env,
      stdio: 'ignore',
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

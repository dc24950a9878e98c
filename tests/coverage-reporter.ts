import { readFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import type {
  Reporter,
  TestCase,
  TestModule,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node'
import {
  citationFaults,
  citedIds,
  coverageTable,
  judge,
  openBySurface,
  parseRules,
} from './coverage.ts'
import type { Citation, Outcome } from './coverage.ts'
import { larger, takesLarger } from './doses.ts'

const requirements = new URL('requirements.tsv', import.meta.url)

/**
 * Prints which rules of the spec the run proved, and as the very last line of the output how many
 * tests passed and failed, or that it was interrupted. A citation without a rule or without a passing test fails the run,
 * and so does a test of the larger doses that ran among the others.
 */
export function coverageReporter(): Reporter {
  let vitest: Vitest
  const isLeftOut = ({ tags }: TestCase) =>
    !takesLarger(vitest.config.mode) && tags.includes(larger.name)
  const taken = (modules: readonly TestModule[]) =>
    testsOf(modules).filter((test) => !isLeftOut(test))
  return {
    onInit(instance) {
      vitest = instance
      if (!vitest.config.watch) endWithLastLine(() => taken(vitest.state.getTestModules()))
    },
    async onTestRunEnd(finished) {
      const rules = parseRules(readFileSync(requirements, 'utf8'))
      const citations = taken(finished).flatMap(citationsOf)
      const coverage = judge(rules, citations)
      const full = await isFullRun(vitest, finished)
      const faults = [
        ...citationFaults(full ? coverage : { ...coverage, unproven: [] }),
        ...testsOf(finished)
          .filter((test) => isLeftOut(test) && outcomeOf(test) !== 'skipped')
          .map(({ fullName }) => `${fullName} ran in spite of its tag: skipIf and runIf undo it`),
      ]
      const table = full
        ? [coverageTable(rules, coverage.covered), openBySurface(coverage.open)].join('\n')
        : 'The table of covered rules is printed by full runs.'
      vitest.logger.log(['', table, ...faults.map((fault) => `Error: ${fault}`)].join('\n'))
      if (faults.length > 0) process.exitCode = 1
    },
  }
}

function testsOf(modules: readonly TestModule[]): TestCase[] {
  return modules.flatMap((module) => [...module.children.allTests()])
}

function citationsOf(test: TestCase): Citation[] {
  const outcome = outcomeOf(test)
  const { drivesBrowser: inBrowser = false } = test.meta()
  return titlesOf(test)
    .flatMap(citedIds)
    .map((id) => ({ id, outcome, inBrowser, test: test.fullName }))
}

function titlesOf(entity: TestCase | TestSuite | TestModule): string[] {
  return entity.type === 'module' ? [] : [...titlesOf(entity.parent), entity.name]
}

function outcomeOf(test: TestCase): Outcome {
  const { state } = test.result()
  return state === 'pending' ? 'skipped' : state
}

/** Full means: every test file of every project of `npm test` ran, and no test was left out by its name. */
async function isFullRun(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  const { mode, project, testNamePattern } = vitest.config
  if (mode !== 'test' || project.length > 0 || testNamePattern) return false
  const key = ({ project, moduleId }: TestModule | TestSpecification) =>
    `${project.name}:${moduleId}`
  const ran = new Set(modules.map(key))
  return (await vitest.globTestSpecifications()).every((specification) =>
    ran.has(key(specification)),
  )
}

/** Written when the process exits, so that nothing follows it. */
function endWithLastLine(tests: () => TestCase[]) {
  let interruptedBy: NodeJS.Signals | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A listener that stays: one Ctrl-C comes from the terminal and once more from npm.
    process.on(signal, () => {
      interruptedBy = signal
      process.exit(128 + constants.signals[signal])
    })
  }
  process.once('exit', (code) => writeSync(1, `${lastLine(tests(), code, interruptedBy)}\n`))
}

/** A failed run never says 0 failed; one that was interrupted says that, and is not taken for a count of all. */
function lastLine(tests: TestCase[], exitCode: number, interruptedBy?: NodeJS.Signals): string {
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, skipped: 0 }
  for (const test of tests) counts[outcomeOf(test)] += 1
  if (interruptedBy !== undefined) {
    return `interrupted by ${interruptedBy}: ${counts.passed} passed, ${counts.failed} failed until then`
  }
  if (exitCode !== 0) counts.failed = Math.max(counts.failed, 1)
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`
}

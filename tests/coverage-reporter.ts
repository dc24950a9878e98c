import { readFileSync, writeSync } from 'node:fs'
import type {
  Reporter,
  TestCase,
  TestModule,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node'
import { citationFaults, citedIds, coverageTable, judge, parseRules } from './coverage.ts'
import type { Citation, Outcome } from './coverage.ts'

const requirements = new URL('requirements.tsv', import.meta.url)

/**
 * Prints which rules of the spec the run proved, and as the very last line of the output how many
 * tests passed and failed. A citation without a rule or without a passing test fails the run.
 */
export function coverageReporter(): Reporter {
  let vitest: Vitest
  let modules: readonly TestModule[] = []
  return {
    onInit(instance) {
      vitest = instance
      if (!vitest.config.watch) process.once('exit', (code) => printLastLine(modules, code))
    },
    async onTestRunEnd(finished) {
      modules = finished
      const rules = parseRules(readFileSync(requirements, 'utf8'))
      const citations = testsOf(finished).flatMap(citationsOf)
      const coverage = judge(rules, citations)
      const full = await isFullRun(vitest, finished)
      const faults = citationFaults(full ? coverage : { ...coverage, unproven: [] })
      const table = full
        ? coverageTable(rules, coverage.covered)
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
  return titlesOf(test)
    .flatMap(citedIds)
    .map((id) => ({ id, outcome, test: test.fullName }))
}

function titlesOf(entity: TestCase | TestSuite | TestModule): string[] {
  return entity.type === 'module' ? [] : [...titlesOf(entity.parent), entity.name]
}

function outcomeOf(test: TestCase): Outcome {
  const { state } = test.result()
  return state === 'pending' ? 'skipped' : state
}

/** Full means: every test file of every project ran, and no test was left out by its name. */
async function isFullRun(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  if (vitest.config.project.length > 0 || vitest.config.testNamePattern) return false
  const key = ({ project, moduleId }: TestModule | TestSpecification) =>
    `${project.name}:${moduleId}`
  const ran = new Set(modules.map(key))
  return (await vitest.globTestSpecifications()).every((specification) =>
    ran.has(key(specification)),
  )
}

/** Written when the process exits, so that nothing follows it; a failed run never says 0 failed. */
function printLastLine(modules: readonly TestModule[], exitCode: number) {
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, skipped: 0 }
  for (const test of testsOf(modules)) counts[outcomeOf(test)] += 1
  if (exitCode !== 0) counts.failed = Math.max(counts.failed, 1)
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  writeSync(1, `${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
}

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes half a minute and more: begun last, each of these would be waited for while a core is idle. Those that
 * wait for processes run together with those that need the processor.
 */
const longest = [
  'tests/review/take-over.db.test.ts',
  'apps/runner/src/daemon/daemon.test.ts',
  'tests/model/model.large.db.test.ts',
  'tests/e2e/interruptions.large.e2e.test.ts',
  'tests/access/golden.large.db.test.ts',
  'tests/e2e/upgrade.large.e2e.test.ts',
  'tests/e2e/kills.large.e2e.test.ts',
  'tests/e2e/branches.large.e2e.test.ts',
  'apps/runner/src/daemon/daemon.large.test.ts',
  'tests/crash-points.large.db.test.ts',
  'tests/e2e/outages.large.e2e.test.ts',
]

/** After these come the projects from the slow to the quick, whose small files fill the end. */
const projects = ['e2e', 'db', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place >= 0 ? place : longest.length + projects.indexOf(project.name)
}

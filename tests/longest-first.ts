import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes half a minute and more, the longest first: begun last, each of these would be waited for while a core is idle,
 * and two of them in one share of the doses make it longer than the others.
 */
const longest = [
  'tests/pages/pages.large.db.test.ts',
  'tests/web/reach.large.db.test.ts',
  'tests/web/keyboard.large.db.test.ts',
  'tests/e2e/standalone.large.e2e.test.ts',
  'tests/e2e/parts-soak.large.e2e.test.ts',
  'tests/e2e/kills.large.e2e.test.ts',
  'tests/e2e/outages.large.e2e.test.ts',
  'tests/e2e/agents.large.e2e.test.ts',
  'tests/e2e/interruptions.large.e2e.test.ts',
  'tests/e2e/packages.large.e2e.test.ts',
  'tests/e2e/branches.large.e2e.test.ts',
  'tests/e2e/upgrade.large.e2e.test.ts',
  'tests/web/faults-missions.large.db.test.ts',
  'tests/web/faults-operating.large.db.test.ts',
  'tests/access/golden.large.db.test.ts',
  'tests/review/take-over.large.db.test.ts',
  'tests/e2e/parts-suite.large.e2e.test.ts',
  'tests/e2e/ephemeral.large.e2e.test.ts',
  'tests/crash-points.large.db.test.ts',
  'tests/e2e/long-logs.large.e2e.test.ts',
  'tests/model/model.large.db.test.ts',
  'tests/e2e/runner-kills.large.e2e.test.ts',
  'tests/web/needs-walk.large.db.test.ts',
  'tests/e2e/installations.large.e2e.test.ts',
  'tests/e2e/postgres.large.e2e.test.ts',
  'tests/web/interruptions.large.db.test.ts',
  'tests/e2e/releases.large.e2e.test.ts',
  'tests/web/artifacts.large.db.test.ts',
  'tests/e2e/many-files.large.e2e.test.ts',
  'tests/web/first-load.large.db.test.ts',
  'tests/e2e/standalone-admin.large.e2e.test.ts',
  'tests/e2e/transfer.large.e2e.test.ts',
  'tests/e2e/standalone-commands.large.e2e.test.ts',
  'apps/runner/src/daemon/daemon.large.test.ts',
  'apps/runner/src/daemon/refused-token.large.test.ts',
  'apps/runner/src/daemon/daemon.test.ts',
  'apps/runner/src/daemon/ephemeral.test.ts',
  'apps/runner/src/supervisor/prepare-others.large.test.ts',
  'apps/runner/src/daemon/checkouts.test.ts',
  'apps/runner/src/supervisor/pre-launch.test.ts',
  'tests/web/webhooks.db.test.ts',
  'tests/web/mission.large.db.test.ts',
  'tests/web/hostile.db.test.ts',
  'tests/e2e/launch-path.e2e.test.ts',
]

/** From the slow to the quick, whose small files fill the end. After the longest, shares are dealt in this order, too. */
const projects = ['e2e', 'db', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projectOf = ({ project }: TestFile) => projects.indexOf(project.name)
    return sorted.toSorted(
      // by project first: a process of vitest is of one, and ends where the next file is of another
      (one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other),
    )
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return shareOf(files, this.ctx.config.shard ?? { index: 1, count: 1 })
  }
}

interface TestFile {
  moduleId: string
  project: { name: string }
}

/**
 * Of `--shard=<index>/<count>`: shares that take about as long, and hold the same files on every machine. The longest goes to
 * the first share, the next to the second, and so on, and from the last share back again.
 */
export function shareOf<F extends TestFile>(
  files: readonly F[],
  { index, count }: { index: number; count: number },
): F[] {
  const sorted = files.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || (one.moduleId < other.moduleId ? -1 : 1),
  )
  return sorted.filter((_, nth) => {
    const place = nth % count
    return index === (Math.floor(nth / count) % 2 === 0 ? place + 1 : count - place)
  })
}

function placeOf({ moduleId, project }: TestFile): number {
  const place = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
  return place >= 0 ? place : longest.length + projects.indexOf(project.name)
}

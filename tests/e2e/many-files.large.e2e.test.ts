import { runInTest } from '@svc/cli/testing/cli'
import { limits } from '@svc/contracts/limits'
import { expect } from 'vitest'
import { commitMany } from './support/many-files.ts'
import { test } from './support/test.ts'
import { until } from './support/until.ts'

const missionBranch = 'build-the-bridge-1'

/** One half of them, which is more than a report names. */
const half = 6_500
const ofMany = { timeout: 400_000 }

test(
  'a run that removes every file of a large repository is reported and reviewed',
  ofMany,
  async ({ service }) => {
    await using scene = await service.scene({ repository: true })
    const { client, mission, repository, token } = scene
    commitMany(repository, ['committed', 'forgotten'], half)
    const machine = await scene.machine()
    const { id } = await scene.launch('clears-out')
    const endedRun = async () => {
      const request = await scene.request()
      return request.endedAt === null ? undefined : request
    }

    const run = await until('its run is over', endedRun, { seconds: 300 })

    expect(run).toMatchObject({ outcome: 'delivered', attempt: 1, branch: missionBranch })
    const left = expect.stringMatching(`forgotten/0/0\\.txt, .* and ${half - 5} more`)
    expect(run.warnings).toContainEqual(left)
    const { diff } = await client.call('getRunDiff', { id })
    expect(diff).toMatchObject({ truncated: true, dirty: true })
    expect(diff.stat).toHaveLength(limits.diffFiles)
    expect(Buffer.byteLength(diff.patch ?? '')).toBeLessThanOrEqual(limits.diffPatchBytes)
    const read = { id, limit: limits.runFilesAtOnce, patches: 'true' } as const
    const { changes, files, nextCursor } = await client.call('listRunFiles', read)
    expect(changes).toMatchObject({ files: limits.runFiles, truncated: true, dirty: true })
    expect(files).toHaveLength(limits.runFilesAtOnce)
    for (const { filePath, patch } of files) expect(patch).toContain(`--- a/${filePath}\n`)
    expect(nextCursor).toBe(String(limits.runFilesAtOnce - 1))
    const env = {
      SVC_BACKEND_URL: service.baseUrl,
      SVC_USER_TOKEN: token,
      SVC_RUNNER_HOME: machine.home.folder,
    }
    const { code, stdout } = await runInTest(env, 'review', mission.displayId)
    expect(code).toBe(0)
    const lines = stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('--- a/committed/'))).toHaveLength(half)
    const warning = lines.find((line) => line.includes('Not in the branch: uncommitted changes'))
    expect(warning).toContain(` and ${half - 5} more`)
  },
)

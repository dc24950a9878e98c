import { createHash } from 'node:crypto'
import type { Mission } from '@svc/contracts/mission'
import type { World } from '@svc/domain/testing/open-world'

export const longFile = 'src/generated/long.ts'
export const longLines = 20_000
export const binaryFile = 'assets/logo.png'
export const tooLargeFile = 'src/too-large.ts'
export const cutFile = 'src/cut.ts'
const special = [longFile, binaryFile, tooLargeFile, cutFile]

/** The path of a file of the change, by its place in the report; the first ones are special. */
export function fileAt(position: number): string {
  const number = String(position).padStart(4, '0')
  return special[position] ?? `src/part-${position % 40}/file-${number}.ts`
}

/** The reasons that were given, and for how many files: the most first. */
const labels = Object.entries({
  'The search itself': 12,
  'Its tests': 10,
  'What it does without': 8,
})
const labelOfEach = labels.flatMap(([label, count]) => Array<string>(count).fill(label))

const explained = labelOfEach.map((label, index) => ({
  filePath: fileAt(special.length + index),
  label,
  summary: `Changes file ${index}.`,
  why: `Reason ${index}.`,
  impact: 'None.',
}))

const head = (path: string) => `diff --git a/${path} b/${path}\n`
const both = (path: string) => `${head(path)}--- a/${path}\n+++ b/${path}\n`

function patchAt(position: number): string | undefined {
  const path = fileAt(position)
  if (path === tooLargeFile) return undefined
  if (path === binaryFile) return `${head(path)}Binary files a/${path} and b/${path} differ\n`
  if (path === cutFile) return `${both(path)}@@ -1,9 +1,9 @@\n-before the cut\n+after`
  if (path === longFile) {
    const lines = Array.from({ length: longLines }, (_, at) => `+line ${at}\n`)
    return `${both(path)}@@ -0,0 +1,${longLines} @@\n${lines.join('')}`
  }
  const lines = `const before = ${position}\n-const old = ${position}\n+const name = ${position}\n+const more = ${position}\n`
  return `${both(path)}@@ -1,3 +1,4 @@\n ${lines} export {}\n`
}

function sizeAt(position: number) {
  const path = fileAt(position)
  if (path === binaryFile) return { additions: null, deletions: null }
  if (path === longFile) return { additions: longLines, deletions: 0 }
  return { additions: path === tooLargeFile ? 90_000 : 2, deletions: 1 }
}

/** A mission in review whose run has changed so many files, 34 at least. */
export async function bigReview(world: World, count: number): Promise<Mission> {
  const { project, mission } = await world.missionWith(['Rename it everywhere'], {
    title: `A change of ${count} files`,
  })
  const runner = await world.connectedRunner(project)
  const { agent, lease } = await world.attachedRun(mission.objectives[0], runner)
  await agent.deliver({ summary: 'Renamed everywhere.', changeRationales: explained })
  const report = createHash('sha256').update(`${mission.id} ${count}`).digest('hex')
  const part = { id: lease.id, leaseToken: lease.leaseToken, report }
  const all = Array.from({ length: count }, (_, position) => position)
  for (let from = 0; from < count; from += 1_000) {
    const positions = all.slice(from, from + 1_000)
    const files = positions.map((at) => ({ filePath: fileAt(at), ...sizeAt(at) }))
    await runner.call('reportRunFiles', { ...part, from, files })
    const patches = positions.flatMap((position) => {
      const patch = patchAt(position)
      return patch === undefined ? [] : [{ position, patch }]
    })
    await runner.call('reportRunPatches', { ...part, patches })
  }
  await runner.call('completeRunFiles', {
    ...part,
    baseSha: 'a'.repeat(40),
    headSha: 'b'.repeat(40),
    files: count,
    patches: count - 1,
    truncated: true,
    dirty: false,
  })
  await runner.exited(lease)
  return mission
}

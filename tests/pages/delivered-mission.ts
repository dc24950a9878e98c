import { randomUUID } from 'node:crypto'
import type { Run } from '@svc/domain/testing/runs'
import type { World } from '@svc/domain/testing/open-world'

/** A change of five files, of which one is binary, one deleted, and one longer than what a page holds. */
export const longFile = 'src/generated/words.ts'
const words = Array.from({ length: 3_000 }, (_, index) => `+  word${index}: ${index},`)
const patch = `diff --git a/src/missions/search.ts b/src/missions/search.ts
--- a/src/missions/search.ts
+++ b/src/missions/search.ts
@@ -39,8 +39,11 @@ import { sql } from 'kysely'
 
 /** Missions by the words of their titles. */
 export async function searchMissions(db: Queryable, query: string) {
-  const rows = await allMissions(db)
-  return rows.filter(({ title }) => title.includes(query))
+  const near = await newestMissions(db, { most: 500 })
+  const found = near.filter(({ title }) => has(title, query))
+  if (found.length >= pageItems) return found
+  // the index knows all that is older
+  return [...found, ...(await fromIndex(db, query, found))]
 }
 
 export const pageItems = 50
diff --git a/src/missions/words.ts b/src/missions/words.ts
new file mode 100644
--- /dev/null
+++ b/src/missions/words.ts
@@ -0,0 +1,3 @@
+export function has(title: string, query: string): boolean {
+  return title.toLocaleLowerCase().includes(query) // \u202Eevil\u202C <img src=x onerror=alert(1)>
+}
diff --git a/src/missions/all.ts b/src/missions/all.ts
deleted file mode 100644
--- a/src/missions/all.ts
+++ /dev/null
@@ -1 +0,0 @@
-export const all = true
\\ No newline at end of file
diff --git a/docs/plan.png b/docs/plan.png
new file mode 100644
Binary files /dev/null and b/docs/plan.png differ
diff --git a/${longFile} b/${longFile}
new file mode 100644
--- /dev/null
+++ b/${longFile}
@@ -0,0 +1,${words.length} @@
${words.join('\n')}
`

const stat = [
  { filePath: 'src/missions/search.ts', additions: 5, deletions: 2 },
  { filePath: 'src/missions/words.ts', additions: 3, deletions: 0 },
  { filePath: 'src/missions/all.ts', additions: 0, deletions: 1 },
  { filePath: 'docs/plan.png', additions: null, deletions: null },
  { filePath: longFile, additions: words.length, deletions: 0 },
]

const because = (filePath: string, label: string, why: string) => ({
  filePath,
  label,
  summary: 'Looks through the newest first, and asks the index after that.',
  why,
  impact: 'Same order, same cursors.',
})

const delivery = {
  summary: 'Search looks through the newest missions first and asks the **index** after that.',
  report: {
    humanActions: [
      { action: 'Tell the people of the old page' },
      {
        action: 'Run the migration before the deploy',
        reason: 'It makes the index that the search asks.',
        blocking: true,
      },
    ],
    risks: [{ text: 'A title in capitals', evidence: 'Only Latin letters were tried.' }],
    tradeoffsMade: [
      { decision: 'No ranking', rationale: 'Newest first is what people expect', impact: 'None' },
      { decision: 'An index of 40 MB', rationale: 'Reads are frequent' },
    ],
    deferredWork: [{ text: 'Search in comments' }],
    assumptions: [{ text: 'Fewer than a million missions' }, { text: 'Titles are short' }],
  },
  changeRationales: [
    because('src/missions/search.ts', 'The search itself', 'The plan read every mission first.'),
    because('src/missions/words.ts', 'The search itself', 'One place says what a match is.'),
    because('src/missions/all.ts', 'What it does without', 'Nobody reads them all any more.'),
  ],
  artifacts: [
    { type: 'link', label: 'The page with it', externalUrl: 'https://preview.example/search' },
    { type: 'test_results', label: 'Tests', contentText: '42 passed, of them 3 new' },
  ],
}

/** A mission in review: its one objective was run, checked and delivered, and its run has left its lines. */
export async function deliveredMission(world: World, title = 'Faster search') {
  const instruction =
    'Make the mission search answer in 50 ms at a million missions.\n\nKeep the order and the cursors as they are.'
  const { project, mission } = await world.missionWith([instruction], {
    title,
    resources: [{ resourceKey: 'web', permission: 'rw', primary: true, defaultBranch: 'main' }],
  })
  await world.alice.call('updateLaunchSettings', {
    id: project.id,
    checks: { test: { command: 'npm test' }, lint: { command: 'npm run lint' } },
  })
  const run = await runOf(world, mission.objectives[0], project.id)
  await deliverChecked(run)
  return { project, mission }
}

/** Without a check or a line that is kept. */
export async function deliverAgain(
  world: World,
  objective: { id: string },
  projectId: string,
): Promise<void> {
  await world.alice.call('updateObjective', { id: objective.id, check: 'none' })
  const { runner, lease, agent } = await runOf(world, objective, projectId)
  await agent.deliver({ summary: 'Bounded now.' })
  await runner.exited(lease)
}

async function runOf(world: World, objective: { id: string }, projectId: string): Promise<Run> {
  const resources = [{ projectId, resourceKey: 'web' }]
  const runner = await world.connectedRunner({ id: projectId }, { resources, label: 'lap-2' })
  await world.alice.launch(objective)
  const lease = await runner.take()
  await runner.launching(lease, 'svc/faster-search', { baseSha: 'a'.repeat(40) })
  await runner.launched(lease)
  const agent = runner.agent(lease)
  await agent.attach()
  return { runner, lease, agent }
}

async function deliverChecked({ runner, lease, agent }: Run): Promise<void> {
  const key = { idempotencyKey: randomUUID() }
  // refused as long as the checks run
  await agent.deliver(delivery, key).catch(() => undefined)
  const { id, leaseToken } = lease
  await runner.call('reportCheck', {
    id,
    leaseToken,
    attempt: 1,
    report: {
      commit: 'c'.repeat(40),
      dirty: false,
      changed: false,
      results: [
        { name: 'lint', outcome: 'not_run', exitCode: null, seconds: 0, output: 'No npm here.' },
        { name: 'test', outcome: 'passed', exitCode: 0, seconds: 130, output: '41 passed\n' },
      ],
    },
  })
  await agent.deliver(delivery, key)
  await runner.diff(lease, { stat, patch, dirty: true, complete: true })
  await runner.exited(lease)
}

import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { World } from '@svc/domain/testing/open-world'
import type { TestRunner } from '@svc/domain/testing/runner'

type AttachedRun = Awaited<ReturnType<World['attachedRun']>>

/** A mission in the middle of its work, as its page is best looked at. */
export interface ShownMission {
  project: Project
  mission: Mission
  /** Delivered, running with an open question, being written, and not begun. */
  objectives: [done: Objective, asking: Objective, draft: Objective, next: Objective]
  runner: TestRunner
  asking: AttachedRun
  questionId: string
}

const instructions = [
  'Read the old settings\n\nSay where the theme is kept today, and who reads it.',
  'Theme switch\n\nAdd a switch to the settings page. It has **three** positions:\n\n- light\n- dark\n- as the system says\n\nKeep what `theme.ts` exports.',
  'Write the docs\n\nSay in `docs/theme.md` how a theme is chosen, and what a plug-in may rely on.',
  'Tell the plug-in authors\n\nA note for the newsletter, half a page.',
] as const

let made = 0

/** One of its own each time, so that what is done to it is seen by nobody else. */
export function showMission(world: World): Promise<ShownMission> {
  made += 1
  return makeMission(world, `web${made}`)
}

const shownToAll = new WeakMap<World, Promise<ShownMission>>()

/** The same for all who only look at it: `web:1`. */
export function missionToLookAt(world: World): Promise<ShownMission> {
  const known = shownToAll.get(world) ?? makeMission(world, 'web')
  shownToAll.set(world, known)
  return known
}

async function makeMission(world: World, slug: string): Promise<ShownMission> {
  const { alice } = world
  const { project } = await alice.call('createProject', { name: 'Web', slug })
  await alice.call('linkProjectResource', { id: project.id, resourceKey: 'web', primary: true })
  await alice.call('linkProjectResource', { id: project.id, resourceKey: 'docs' })
  const resources = ['web', 'docs'].map((resourceKey) => ({ projectId: project.id, resourceKey }))
  const runner = await world.connectedRunner(project, {
    label: `lap-of-${slug}`,
    agents: ['claude', 'codex', 'scripted'],
    resources,
  })
  const { mission, objectives } = await alice.call('createMission', {
    projectId: project.id,
    title: 'Theme switch',
    priority: 'high',
    objectives: instructions.map((instruction) => ({ instruction })),
  })
  // the service answers as many objectives as it was given
  const [done, asks, draft, next] = objectives as ShownMission['objectives']
  await deliver(world, done, runner)
  const asking = await begin(world, asks, runner)
  await asking.agent.update({ text: 'The switch is in the settings page; its tests come next.' })
  await asking.agent.heartbeat({ percent: 60, note: 'writing tests' })
  const { questionId } = await asking.agent.ask({
    question: 'Keep the old cookie name, or rename it and sign everybody out?',
    options: [
      { id: 'keep', label: 'Keep it', description: 'Nobody notices, and the name stays odd.' },
      { id: 'rename', label: 'Rename it' },
    ],
    allowFreeText: true,
  })
  await furnish(world, { mission, draft })
  return { project, mission, objectives: [done, asks, draft, next], runner, asking, questionId }
}

async function deliver(world: World, objective: Objective, runner: TestRunner): Promise<void> {
  const { agent, lease } = await begin(world, objective, runner)
  await agent.update({ text: 'Three places read it; two of them write it, too.' })
  await agent.deliver({
    summary: 'The theme is kept in a **cookie**. `settings.ts` and `boot.ts` read it.',
    artifacts: [
      {
        type: 'note',
        label: 'Where the theme is read',
        contentText: '# Readers\n\n- boot\n- page',
      },
    ],
  })
  await runner.exited(lease, { usage: { inputTokens: 21_000, outputTokens: 1_400, usd: '0.31' } })
}

async function begin(world: World, objective: Objective, runner: TestRunner): Promise<AttachedRun> {
  await world.alice.launch(objective, { agent: 'claude', resourceKey: 'web' })
  const lease = await runner.take()
  await runner.launching(lease, `svc/theme-${objective.displayId.split('.')[1]}`)
  await runner.launched(lease)
  const agent = runner.agent(lease, { agentIdentifier: 'claude' })
  await agent.attach()
  return { runner, lease, agent }
}

async function furnish(
  { alice }: World,
  { mission, draft }: { mission: Mission; draft: Objective },
): Promise<void> {
  const bytes = Buffer.from('a picture')
  await alice.call('addAttachment', { id: draft.id, name: 'sketch.png', bytes })
  await alice.call('updateObjective', { id: draft.id, assigned_agent: 'claude', model: 'opus' })
  await alice.call('setSharedState', {
    id: mission.id,
    key: 'theme.names',
    value: ['light', 'dark', 'system'],
    expectedRevision: 0,
  })
  await alice.call('updateMission', { id: mission.id, budget: { usd: '5' } })
}

import { commandOf } from '@svc/contracts/next-step'
import { isClosed, isNotStarted, objectiveStates } from '@svc/contracts/states'
import { nearestOf } from '@svc/contracts/nearest'
import { neededFor } from './needed-right.ts'
import type { Story } from './mission-story.ts'
import { notMerged } from '../branches/unmerged.ts'
import { lastRunsOf } from './mission-story.ts'
import { stepsOfQueue } from './queue-steps.ts'
import { type Run, goOn, launchAgain, launchLike, stateOf, whyEnded } from './run-end.ts'
import { shellWord } from './shell-word.ts'
import { fitsCell } from './short-cell.ts'
import { releaseOf, waitingFor, whyUntaken } from './waiting.ts'

/** What a person may do now: why, and the command that does it as it stands. */
export interface Step {
  readonly why: string
  readonly command: string
}

type Objective = Story['objectives'][number]

/** What waits for a person comes first; where nothing does, how it goes on. Nothing that this one may not do. */
export function stepsOf(story: Story): Step[] {
  const all = allSteps(story)
  const own = all.filter((step) => mayTake(story, step))
  return all.length > 0 && own.length === 0 ? readingSteps(story) : own
}

function mayTake({ rights }: Story, { command }: Step): boolean {
  const needed = neededFor(command)
  return needed === undefined || rights === undefined || rights.has(needed)
}

function allSteps(story: Story): Step[] {
  const { mission } = story
  if (isClosed(mission.phase)) return readingSteps(story)
  const waiting = [
    ...questionSteps(story),
    ...(isBusy(story) ? [] : approvalSteps(story)),
    ...queueSteps(story),
    ...(isBusy(story) ? [] : stoppedSteps(story)),
  ]
  const running = runningSteps(story)
  if (waiting.length + running.length > 0) return [...waiting, ...running]
  const next = nextSteps(story)
  return next.length > 0 ? next : [...readingSteps(story), ...closingSteps(story)]
}

/** An active objective holds the mission's one slot: a launch beside it would be refused. */
function isBusy({ mission, objectives }: Story): boolean {
  return !mission.allowParallelObjectives && objectives.some(isActive)
}

function isActive({ state }: Objective): boolean {
  return objectiveStates[state].active
}

function questionSteps({ questions }: Story): Step[] {
  return questions.filter(isOpen).map(({ displayId, question, options }) => {
    const choices = options.map(({ id, label }) => `${id}=${label}`).join(', ')
    const [first] = options
    const answer = first ? `--option ${shellWord(first.id)}` : '--text-file -'
    const how = first ? ` (${choices})` : ' (type the answer, then Ctrl-D)'
    return {
      why: `${displayId} asks: ${question}${how}`,
      command: `svc questions answer ${displayId} ${answer}`,
    }
  })
}

export function isOpen({ status }: Story['questions'][number]): boolean {
  return status === 'open'
}

function approvalSteps(story: Story): Step[] {
  const waiting = story.objectives.filter(({ state }) => state === 'awaiting_approval')
  return waiting.map((objective) => launchStep(story, objective, approvalOf(objective)))
}

function approvalOf({ displayId, approvalRefusal }: Objective): string {
  const refused = approvalRefusal ? `: ${approvalRefusal.message}` : ''
  return `${displayId} waits for your approval${refused}`
}

function queueSteps(story: Story): Step[] {
  const [project = ''] = story.mission.displayId.split(':')
  const known = { missionIsOpen: true, missionIsBusy: isBusy(story) }
  return story.queues
    .flatMap((queue) => stepsOfQueue(queue, project, known))
    .map(({ about, how, command, choice }) =>
      choice
        ? { why: `${about}. ${how} (${command}): ${choice.why}`, command: choice.command }
        : { why: `${about}. ${how}`, command },
    )
}

/** Those whose last run brought nothing, and which no queue launches again. */
function stoppedSteps(story: Story): Step[] {
  const runs = lastRunsOf(story)
  return story.objectives.flatMap((objective) => {
    const run = runs.get(objective.id)
    const stopped = run && !isQueued(story, objective) && objective.state !== 'awaiting_approval'
    const agent = stopped ? agentFor(story, objective, run) : undefined
    const again = stopped ? launchAgain(objective, run, agent) : undefined
    if (!run || again === undefined) return []
    const onwards = goOn(objective, run)
    const how = `${objective.displayId}: its last run: ${endOfRun(story, run)}`
    if (onwards === undefined) return [{ why: how, command: again }]
    return [
      { why: `${how}; go on with it`, command: onwards },
      { why: 'or begin it anew', command: again },
    ]
  })
}

function isQueued({ queues }: Story, { id }: Objective): boolean {
  return queues.some(({ entries }) => entries.some(({ objectiveId }) => objectiveId === id))
}

/** With the reason that is too long for the table. */
function endOfRun({ calledOff }: Story, run: Run): string {
  const why = calledOff[run.id] ?? whyEnded(run) ?? ''
  return fitsCell(why) ? stateOf(run) : `${stateOf(run)}: ${why}`
}

function runningSteps(story: Story): Step[] {
  const { mission, objectives, questions } = story
  const asking = new Set(questions.filter(isOpen).map(({ objectiveId }) => objectiveId))
  const runs = lastRunsOf(story)
  const active = objectives.filter((one) => isActive(one) && !asking.has(one.id))
  const onTheWay = active.filter(({ id }) => !whyUntaken(story.runners, runs.get(id)))
  const named = onTheWay.map((one) => nameWithAgent(story, one)).join(', ')
  return [
    ...active.flatMap((objective) => queuedSteps(story, objective, runs.get(objective.id))),
    ...(named === ''
      ? []
      : [{ why: `${named} is on its way`, command: `svc missions watch ${mission.displayId}` }]),
    ...onTheWay.map(({ displayId }) => callingOff(displayId)),
  ]
}

function nameWithAgent({ workers }: Story, { id, displayId }: Objective): string {
  const worker = workers.find(({ objectiveId }) => objectiveId === id)
  return worker ? `${displayId} (${worker.agent} works on it)` : displayId
}

/** What keeps a run that no runner has begun. */
function queuedSteps(story: Story, objective: Objective, run: Run | undefined): Step[] {
  if (run?.status !== 'queued') return []
  const { displayId } = objective
  if (run.lastRelease) {
    const { next } = run.lastRelease
    const isLooked = next?.operation === 'getExecutionRequest'
    const why = isLooked ? releaseOf(run) : waitingFor(run)
    return [
      { why: `${displayId} waits: ${why}`, command: isLooked ? commandOf(next) : runnerStatus },
    ]
  }
  const untaken = whyUntaken(story.runners, run)
  if (untaken === undefined) {
    return [{ why: `no runner has taken ${displayId} yet`, command: runnerStatus }]
  }
  const why = `${untaken}, which ${displayId} is queued for`
  if (run.onlyRunner !== null && story.agents?.includes(run.agent)) {
    return [
      {
        why: `${why}; launch it on whichever is there`,
        command: launchLike(objective, run, run.agent),
      },
      { why: 'or call it off', command: `svc cancel ${displayId}` },
    ]
  }
  const [other, ...more] = story.agents ?? []
  if (other === undefined) return [{ why, command: runnerStatus }]
  const meant = nearestOf(run.agent, story.agents ?? [])
  const which = more.length === 0 ? other : `one of ${[other, ...more].join(', ')}`
  const how = meant === undefined ? `launch it with ${which}` : `did you mean ${meant}?`
  return [
    { why: `${why}; ${how}`, command: launchLike(objective, run, meant ?? other) },
    { why: 'or call it off', command: `svc cancel ${displayId}` },
  ]
}

const callingOff = (displayId: string): Step => ({
  why: `or call ${displayId} off, should it hang`,
  command: `svc cancel ${displayId}`,
})

const runnerStatus = 'svc runner status'

export function nextLaunchable(objectives: readonly Objective[]): Objective | undefined {
  return objectives.find(
    ({ state, instruction }) => isNotStarted(state) && instruction.trim() !== '',
  )
}

/** What can be launched next, once it says what is to be done. */
function nextSteps(story: Story): Step[] {
  const { mission, objectives } = story
  const ready = nextLaunchable(objectives)
  if (ready && isQueued(story, ready)) {
    return [
      {
        why: `${ready.displayId} waits for its turn`,
        command: `svc queue list ${mission.displayId.split(':')[0]}`,
      },
    ]
  }
  if (ready) return [launchStep(story, ready, `${ready.displayId} can be launched`)]
  if (objectives.some(({ state }) => state === 'complete')) return []
  const blank = objectives.find(({ state }) => isNotStarted(state))
  if (!blank) {
    const command = `svc objectives add ${mission.displayId} --instruction-file -`
    return [{ why: 'nothing is to be done yet: say what is (type it, then Ctrl-D)', command }]
  }
  return [
    {
      why: `${blank.displayId} says nothing of what is to be done (type it, then Ctrl-D)`,
      command: `svc objectives edit ${blank.displayId} --instruction-file -`,
    },
  ]
}

function launchStep(story: Story, objective: Objective, why: string): Step {
  const launch = `svc launch ${objective.displayId}`
  const { assigned_agent: assigned } = objective
  const agent = agentFor(story, objective, story.executionRequests[0])
  if (agent !== undefined && agent === assigned) return { why, command: launch }
  const instead = assigned === null ? why : `${why}; no runner offers ${assigned}`
  if (agent !== undefined) return { why: instead, command: `${launch} --agent ${agent}` }
  return {
    why: `${instead} (${launch} --agent <key>): see which agents there are`,
    command: runnerStatus,
  }
}

/** What it names, else what ran before, where a runner offers that; else the only one that is offered. */
function agentFor(
  { agents = [] }: Story,
  { assigned_agent: assigned }: Objective,
  before: Run | undefined,
): string | undefined {
  const wanted = [assigned, before?.agent].filter((agent) => agent != null)
  if (agents.length === 0) return wanted[0]
  const [only, ...others] = agents
  return wanted.find((agent) => agents.includes(agent)) ?? (others.length === 0 ? only : undefined)
}

function readingSteps({ mission, deliveries, unmerged }: Story): Step[] {
  const open = notMerged(mission.phase === 'cancelled' ? [] : unmerged)
  if (deliveries.length === 0 && open === undefined) return []
  const all = `the newest of ${deliveries.length}; svc deliveries list ${mission.displayId} has all`
  const which = deliveries.length > 1 ? ` (${all})` : ''
  const reading = deliveries.length === 0 ? [] : [`read what was delivered${which}`]
  const why = [...reading, ...(open === undefined ? [] : [`${open}: review it`])].join('; ')
  return [{ why, command: `svc review ${mission.displayId}` }]
}

function closingSteps({ mission, unmerged }: Story): Step[] {
  const why = unmerged.length > 0 ? 'or close it without merging' : 'nothing is left: close it'
  return [{ why, command: `svc missions move ${mission.displayId} complete` }]
}

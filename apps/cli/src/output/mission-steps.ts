import { isClosed, isNotStarted, objectiveStates } from '@svc/contracts/states'
import type { Story } from './mission-story.ts'
import { lastRunsOf } from './mission-story.ts'
import { stepsOfQueue } from './queue-steps.ts'
import { goOn, launchAgain, stateOf } from './run-end.ts'
import { shellWord } from './shell-word.ts'

/** What a person may do now: why, and the command that does it as it stands. */
export interface Step {
  readonly why: string
  readonly command: string
}

type Objective = Story['objectives'][number]

/** What waits for a person comes first; where nothing does, how it goes on. */
export function stepsOf(story: Story): Step[] {
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
  return questions.map(({ displayId, question, options }) => {
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
    const again = run && !isQueued(story, objective) ? launchAgain(objective, run) : undefined
    if (!run || again === undefined || objective.state === 'awaiting_approval') return []
    const onwards = goOn(objective, run)
    const how = `${objective.displayId}: its last run: ${stateOf(run)}`
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

function runningSteps({ mission, objectives, executionRequests, questions }: Story): Step[] {
  const asking = new Set(questions.map(({ objectiveId }) => objectiveId))
  const active = objectives.filter((one) => isActive(one) && !asking.has(one.id))
  const [first] = active
  if (!first) return []
  const untaken = executionRequests.some((run) => run.status === 'queued')
  return [
    ...(untaken
      ? [{ why: 'no runner has taken what is queued yet', command: 'svc runner status' }]
      : []),
    {
      why: `${active.map(({ displayId }) => displayId).join(', ')} is on its way`,
      command: `svc missions watch ${mission.displayId}`,
    },
  ]
}

/** What can be launched next, once it says what is to be done. */
function nextSteps(story: Story): Step[] {
  const { mission, objectives } = story
  const open = objectives.filter(({ state }) => isNotStarted(state))
  const ready = open.find(({ instruction }) => instruction.trim() !== '')
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
  const [blank] = open
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
  if (objective.assigned_agent !== null) return { why, command: launch }
  const [newest] = story.executionRequests
  if (newest) return { why, command: `${launch} --agent ${newest.agent}` }
  return {
    why: `${why} (svc launch ${objective.displayId} --agent <key>): see which agents there are`,
    command: 'svc runner status',
  }
}

function readingSteps({ mission, deliveries }: Story): Step[] {
  if (deliveries.length === 0) return []
  return [{ why: 'read what was delivered', command: `svc deliveries show ${mission.displayId}` }]
}

function closingSteps({ mission }: Story): Step[] {
  return [
    {
      why: 'nothing is left: close it',
      command: `svc missions move ${mission.displayId} complete`,
    },
  ]
}

import type { KnownAgent } from '@svc/contracts/known-agent'
import type { Objective } from '@svc/contracts/objective'
import type { RunQueueEntry, WholeQueue } from '@svc/contracts/run-queue'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { agentChoices, firstAgent } from '../../parts/launch/choice.ts'
import { agents } from '../../parts/launch/reads.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { waitOf } from '../../words/queues.ts'
import { entryWords, pauseWords, queueWords } from '../../words/states.ts'
import { visible } from '../../words/visible.ts'
import styles from './mission.module.css'
import { runQueues } from './reads.ts'
import { useScene, withObjective } from './scene.ts'

/** Where the objective stands in a run queue, and what puts it there or takes it out. */
export function QueueObjective({
  objective,
  onClose,
}: {
  objective: Objective
  onClose: () => void
}) {
  const { mission } = useScene().shown
  const read = useRead(runQueues, { id: mission.projectId })
  return (
    <Dialog title={`Queue ${objective.displayId}`} onClose={onClose}>
      <Shown of={read}>
        {({ queues }) => {
          const queue = queues.find(({ entries }) =>
            entries.some(({ objectiveId }) => objectiveId === objective.id),
          )
          const entry = queue?.entries.find(({ objectiveId }) => objectiveId === objective.id)
          return queue && entry ? (
            <Entry queue={queue} entry={entry} onClose={onClose} />
          ) : (
            <AddToQueue objective={objective} queues={queues} onClose={onClose} />
          )
        }}
      </Shown>
    </Dialog>
  )
}

interface AddProps {
  objective: Objective
  queues: readonly WholeQueue[]
  onClose: () => void
}

/** Which agent is chosen at first depends on what is offered. */
function AddToQueue(props: AddProps) {
  const { rights } = useWorkspace()
  const maySee = rights.mayCall('listAgents') && rights.mayCall('updateObjective')
  const read = useRead(agents, {}, { enabled: maySee })
  const isKnown = read.data !== undefined || read.error !== null || !maySee
  return isKnown ? <AddForm {...props} known={read.data?.agents ?? []} /> : <Skeleton rows={3} />
}

function AddForm({
  objective,
  queues,
  known,
  onClose,
}: AddProps & { known: readonly KnownAgent[] }) {
  const { shown, keep } = useScene()
  const own = objective.assigned_agent ?? ''
  const inherited = shown.executionRequests.find(({ outcome }) => outcome === 'delivered')?.agent
  const [agent, chooseAgent] = useState(() => firstAgent(own, inherited, known))
  const [name, setName] = useState(queues.find(({ isDefault }) => isDefault)?.name ?? '')
  const [place, setPlace] = useState('last')
  const add = useAction('queueObjective', {
    onDone: (answer) => {
      toast(`It is in the queue ${answer.queue.name}`)
      onClose()
    },
  })
  const queue = queues.find((one) => one.name === name)
  const queueIt = () =>
    void add.send({
      objectiveId: objective.id,
      ...(name !== '' && { queue: name }),
      ...(place === 'first' && { front: true }),
    })
  const nameAgent = useAction('updateObjective', {
    onDone: (answer) => {
      keep(withObjective(answer.objective))
      queueIt()
    },
  })
  const submit = () => {
    if (agent === own) queueIt()
    else void nameAgent.send({ id: objective.id, assigned_agent: agent || null })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p>Each delivery of the project launches the next objective of its queue.</p>
      {(known.length > 0 || own !== '') && (
        <Select
          label="Agent"
          value={agent}
          choices={[
            {
              value: '',
              text: inherited === undefined ? 'None yet' : `As delivered last: ${inherited}`,
            },
            ...agentChoices(known, agent),
          ]}
          hint={
            agent === '' && inherited === undefined
              ? 'It is held when its turn comes, until an agent is named for it.'
              : undefined
          }
          onChoose={chooseAgent}
        />
      )}
      {queues.length > 1 && (
        <Select
          label="Queue"
          value={name}
          choices={queues.map((one) => ({
            value: one.name,
            text: `${visible(one.name)} (${one.entries.length})`,
          }))}
          onChoose={setName}
        />
      )}
      <Select
        label="Place"
        value={place}
        choices={[
          { value: 'last', text: `Last${queue ? `, behind ${queue.entries.length}` : ''}` },
          { value: 'first', text: 'First' },
        ]}
        onChoose={setPlace}
      />
      <ActionProblem of={nameAgent} />
      <ActionProblem of={add} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="first"
          type="submit"
          disabled={[nameAgent, add].some(({ state }) => state.name === 'sending')}
        >
          Queue it
        </Button>
      </DialogActions>
    </form>
  )
}

function Entry({
  queue,
  entry,
  onClose,
}: {
  queue: WholeQueue
  entry: RunQueueEntry
  onClose: () => void
}) {
  const remove = useAction('removeRunQueueEntry', { onDone: () => toast('It is taken out') })
  const retry = useAction('retryRunQueueEntry')
  const place = queue.entries.findIndex(({ id }) => id === entry.id) + 1
  return (
    <>
      <p>
        <Badge of={entryWords[entry.state]} /> Place {place} of {queue.entries.length} in the queue{' '}
        <Text>{queue.name}</Text>, which is <Badge of={queueWords[queue.state]} />
      </p>
      {entry.reason !== null && (
        <p>
          {waitOf(entry, queue).join(' ')}{' '}
          {entry.waitingOn && (
            <span className={styles['because']}>
              It waits for <Text>{entry.waitingOn.id}</Text>.
            </span>
          )}
        </p>
      )}
      {queue.pauseReason !== null && <p>{pauseWords[queue.pauseReason]}</p>}
      <ActionProblem of={remove} />
      <ActionProblem of={retry} />
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button
          onClick={() => void remove.send({ id: entry.id })}
          disabled={remove.state.name === 'sending'}
        >
          Take it out
        </Button>
        {entry.state === 'held' && (
          <Button
            look="first"
            onClick={() => void retry.send({ id: entry.id })}
            disabled={retry.state.name === 'sending'}
          >
            Try it again
          </Button>
        )}
      </DialogActions>
    </>
  )
}

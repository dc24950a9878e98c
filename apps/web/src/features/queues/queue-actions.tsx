import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { isInFlight } from '../../data/states.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast-store.ts'
import { needsStart } from '../../words/queues.ts'
import { visible } from '../../words/visible.ts'
import styles from './queues.module.css'
import type { Queue } from './reads.ts'
import { useScene } from './scene.ts'

/** Start, pause and go on, for those who may launch; what queues there are, for those who define the project. */
export function QueueActions({ queue, place }: { queue: Queue; place: number }) {
  const { rights } = useWorkspace()
  const { id, name, state, entries } = queue
  const start = useAction('startRunQueue', {
    onDone: () => toast(`The first of ${name} is launched`),
  })
  const pause = useAction('pauseRunQueue', { onDone: () => toast(`${name} is paused`) })
  const resume = useAction('resumeRunQueue', {
    onDone: (answer) =>
      toast(
        answer.queue.state === 'idle' && entries.some((entry) => entry.state === 'waiting')
          ? `The pause of ${name} has ended; a start launches its first`
          : `${name} goes on`,
      ),
  })
  const isSending = [start, pause, resume].some((one) => one.state.name === 'sending')
  const isStartable =
    !entries.some(isInFlight) &&
    state !== 'owing' &&
    entries.some((entry) => entry.state === 'waiting')
  return (
    <>
      <div className={styles['actions']}>
        {rights.mayCall('startRunQueue') && (
          <>
            {isStartable && (
              <Button
                look="first"
                data-action="start"
                aria-keyshortcuts="s"
                disabled={isSending}
                onClick={() => void start.send({ id })}
              >
                <Icon name="play" /> Start <Kbd>s</Kbd>
              </Button>
            )}
            <Button
              data-action="pause"
              aria-keyshortcuts="p"
              disabled={isSending}
              onClick={() => void (state === 'paused' ? resume : pause).send({ id })}
            >
              {pauseLabel(queue)} <Kbd>p</Kbd>
            </Button>
          </>
        )}
        {rights.mayCall('updateRunQueue') && <QueueMenu queue={queue} place={place} />}
      </div>
      <div className={styles['problems']}>
        {[start, pause, resume].map((action, index) => (
          <ActionProblem key={index} of={action} />
        ))}
      </div>
    </>
  )
}

/** What else has to be done, so that anything runs, is not promised. */
function pauseLabel(queue: Queue): string {
  if (queue.state !== 'paused') return 'Pause'
  return needsStart(queue) ? 'End the pause' : 'Go on'
}

/** The default one is always there, and always first. */
function QueueMenu({ queue, place }: { queue: Queue; place: number }) {
  const { project, queues, open } = useScene()
  const order = useAction('orderRunQueues')
  const ids = queues.map(({ id }) => id)
  const step = (by: 1 | -1) => {
    const others = ids.filter((id) => id !== queue.id)
    void order.send({
      id: project.id,
      queueIds: others.toSpliced(place + by, 0, queue.id),
    })
  }
  return (
    <>
      <Menu
        label={`What to do with the queue ${visible(queue.name)}`}
        trigger={<Icon name="more" />}
        items={[
          {
            key: 'rename',
            text: 'Rename …',
            onChoose: () => open({ what: 'rename', queue: queue.id }),
          },
          ...(place > 1 ? [{ key: 'up', text: 'Move up', onChoose: () => step(-1) }] : []),
          ...(place > 0 && place < queues.length - 1
            ? [{ key: 'down', text: 'Move down', onChoose: () => step(1) }]
            : []),
          ...(queue.isDefault
            ? []
            : [
                {
                  key: 'delete',
                  text: 'Delete …',
                  onChoose: () => open({ what: 'delete', queue: queue.id }),
                },
              ]),
        ]}
      />
      <ActionProblem of={order} />
    </>
  )
}

import type { RunQueueEntry } from '@svc/contracts/run-queue'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Text } from '../../ui/text.tsx'
import { visible } from '../../words/visible.ts'
import type { Queue } from './reads.ts'
import { type Moves, useScene } from './scene.ts'

interface EntryMenuProps {
  entry: RunQueueEntry
  queue: Queue
  moves: Moves | undefined
}

/** What may be done with an entry that does not run; on touch all of its moves. */
export function EntryMenu({ entry, queue, moves }: EntryMenuProps) {
  const { queues, doing } = useScene()
  const { rights } = useWorkspace()
  const others = rights.mayCall('queueObjective') ? queues.filter(({ id }) => id !== queue.id) : []
  return (
    <Menu
      label={`What to do with ${entry.displayId}`}
      trigger={<Icon name="more" />}
      items={[
        ...(moves
          ? [
              { key: 'first', text: 'Move to the front', onChoose: () => moves.toEnd('first') },
              { key: 'up', text: 'Move up', onChoose: () => moves.step(-1) },
              { key: 'down', text: 'Move down', onChoose: () => moves.step(1) },
              { key: 'last', text: 'Move to the end', onChoose: () => moves.toEnd('last') },
            ]
          : []),
        ...others.map((other) => ({
          key: other.id,
          word: visible(`To ${other.name}`),
          text: (
            <span>
              To <Text>{other.name}</Text>
            </span>
          ),
          onChoose: () => doing.toQueue(entry, other),
        })),
        ...(entry.state === 'held'
          ? [{ key: 'retry', text: 'Try again', onChoose: () => doing.retry(entry) }]
          : []),
        { key: 'remove', text: 'Take it out', onChoose: () => doing.remove(entry, queue) },
      ]}
    />
  )
}

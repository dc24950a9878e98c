import type { Project } from '@svc/contracts/project'
import type { RouteOutput } from '@svc/contracts/rest'
import type { UseQueryResult } from '@tanstack/react-query'
import { startTransition, useEffect, useOptimistic, useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { PageHead } from '../../shell/pages.tsx'
import { Shown } from '../../shell/shown.tsx'
import { nameTab } from '../../shell/tab-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Text } from '../../ui/text.tsx'
import type { Change } from './changes.ts'
import { Dialogs } from './dialogs.tsx'
import { Hindrances } from './hindrances.tsx'
import { QueueSection } from './queue.tsx'
import type { Queues } from './reads.ts'
import { type Opened, SceneContext } from './scene.ts'
import { useDoing } from './use-doing.ts'
import { useOrdering } from './use-ordering.ts'
import { useQueueKeys } from './use-queue-keys.ts'

type Answer = RouteOutput<'listRunQueues'>

interface ViewProps {
  project: Project
  read: UseQueryResult<Answer>
  /** The queue that the address is about, by its name. */
  wanted: string | undefined
}

export function QueuesView({ project, read, wanted }: ViewProps) {
  const { rights } = useWorkspace()
  const [opened, open] = useState<Opened>()
  const mayDefine = rights.mayCall('createRunQueue')
  useEffect(() => {
    nameTab(`Run queues of ${project.name}`)
  }, [project.name])
  return (
    <>
      <PageHead title={<Text>{project.name}</Text>} project={project.slug}>
        {mayDefine && (
          <Button
            look="first"
            aria-keyshortcuts="c"
            disabled={read.data === undefined}
            onClick={() => open({ what: 'create' })}
          >
            <Icon name="plus" /> New queue <Kbd>c</Kbd>
          </Button>
        )}
      </PageHead>
      <Shown of={read} rows={4}>
        {({ queues }) => (
          <QueueList
            project={project}
            known={queues}
            wanted={wanted}
            opened={opened}
            onOpen={open}
          />
        )}
      </Shown>
    </>
  )
}

interface ListProps {
  project: Project
  known: Queues
  wanted: string | undefined
  opened: Opened
  onOpen: (what: Opened) => void
}

function QueueList({ project, known, wanted, opened, onOpen }: ListProps) {
  const { queries } = useWorkspace()
  const [queues, show] = useOptimistic(known, (now, change: Change) => change(now))
  const reread = () => void queries.invalidateQueries({ queryKey: ['listRunQueues'] })
  const keep = (change: Change) => {
    queries.setQueriesData<Answer>(
      { queryKey: ['listRunQueues'] },
      (now) => now && { ...now, queues: change(now.queues) },
    )
    // what may be done about a queue is the service's to say
    reread()
  }
  const foresee = (change: Change, call: () => Promise<void>) => {
    startTransition(async () => {
      show(change)
      await call()
      // what was kept of the answer is drawn before what was foreseen is taken away
      await new Promise((resolve) => setTimeout(resolve))
    })
  }
  const ordering = useOrdering({ keep, foresee, reread })
  const doing = useDoing(keep)
  const scene = { project, queues, ordering, doing, open: onOpen }
  useQueueKeys(scene, opened !== undefined)
  return (
    <SceneContext value={scene}>
      <Hindrances />
      {queues.map((queue, index) => (
        <QueueSection
          key={queue.id}
          queue={queue}
          place={index}
          isWanted={wanted !== undefined && queue.name === wanted}
        />
      ))}
      {opened && <Dialogs opened={opened} />}
    </SceneContext>
  )
}

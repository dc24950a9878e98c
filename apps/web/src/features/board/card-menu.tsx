import type { BoardCard } from '@svc/contracts/board'
import type { RouteName } from '@svc/contracts/rest'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { type Opened, useScene } from './scene.ts'

type Action = Exclude<Opened, undefined | { what: 'create' | 'columns' | 'deleted' }>['what']

const actions: readonly { what: Action; text: string; operation: RouteName }[] = [
  { what: 'move', text: 'Move to …', operation: 'moveMission' },
  { what: 'launch', text: 'Launch what is next …', operation: 'launchObjective' },
  { what: 'edit', text: 'Title and priority …', operation: 'updateMission' },
  { what: 'delete', text: 'Delete …', operation: 'deleteMissions' },
]

/** What may be done with a mission without leaving its board; nothing where they may do nothing. */
export function CardMenu({
  card: { id, displayId },
  tabIndex,
}: {
  card: BoardCard
  tabIndex: number
}) {
  const { rights } = useWorkspace()
  const { open } = useScene()
  const items = actions.filter(({ operation }) => rights.mayCall(operation))
  if (items.length === 0) return null
  return (
    <Menu
      label={`What to do with ${displayId}`}
      trigger={<Icon name="more" />}
      tabIndex={tabIndex}
      items={items.map(({ what, text }) => ({
        key: what,
        text,
        onChoose: () => open({ what, mission: id }),
      }))}
    />
  )
}

import type { BoardCard } from '@svc/contracts/board'
import { useAction } from '../../data/actions.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { DeleteListed, sayDeleted } from '../../parts/delete/delete-listed.tsx'
import { withoutCard } from './board.ts'
import { useScene } from './scene.ts'
import { neighbour } from './walk.ts'

export function DeleteCard({ card, onClose }: { card: BoardCard; onClose: () => void }) {
  const { board, settle, focusCard } = useScene()
  const { service } = useWorkspace()
  const those = { missionIds: [card.id] }
  const remove = useAction('deleteMissions', {
    onDone: (answer) => {
      sayDeleted(answer)
      onClose()
      settle(withoutCard(card))
      const next = neighbour(board, card.id, 'ArrowDown') ?? neighbour(board, card.id, 'ArrowUp')
      if (next !== undefined) focusCard(next)
    },
  })
  return (
    <DeleteListed
      title={`Delete ${card.displayId}`}
      list={() => service.call('deleteMissions', those)}
      action={remove}
      onConfirm={(confirmation) => void remove.send({ ...those, ...confirmation })}
      onClose={onClose}
    />
  )
}

import type { Mission } from '@svc/contracts/mission'
import type { ListedObjective } from '@svc/contracts/objective'
import { useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { CallerChoice } from '../../parts/first-run/caller-choice.tsx'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Text } from '../../ui/text.tsx'
import { toast } from '../../ui/toast-store.ts'
import { counted } from '../../words/counted.ts'
import { objectiveWords } from '../../words/states.ts'
import { inTheWay, leftUndone } from './acceptance.ts'
import styles from './decision.module.css'
import type { Note } from './notes.ts'
import { type Branch, type Delivery, mergeCommands } from './story.ts'

interface AcceptProps {
  mission: Mission
  objectives: readonly ListedObjective[]
  /** The one that is open. */
  delivery: Delivery
  newest: Delivery
  notes: readonly Note[]
  branches: readonly Branch[]
  onClose: () => void
  /** Opens the newest delivery instead. */
  onNewest: () => void
}

/** Closes the mission. Git is on the machines of people: nothing is merged here, which is said before. */
export function AcceptDialog(props: AcceptProps) {
  const { mission, objectives, delivery, newest, notes, branches, onClose, onNewest } = props
  const id = mission.displayId
  // what there was to be seen when the person began; what comes later was seen by nobody
  const [seen] = useState(newest.id)
  const accept = useAction('acceptMission', {
    onDone: ({ alreadyClosed }) => {
      toast(alreadyClosed ? `${id} was closed already` : `${id} is accepted`)
      onClose()
    },
  })
  const isSending = accept.state.name === 'sending'
  const hasUnseen = newest.id !== seen
  const why = isSending ? undefined : inTheWay({ mission, objectives, hasUnseen })
  const blocking = delivery.report.agentReport.humanActions.filter((one) => one.blocking === true)
  const commands = mergeCommands(id, branches)
  return (
    <Dialog title={`Accept ${id}`} onClose={onClose}>
      <div className={styles['words']}>
        {why !== undefined && <Notice tone="caution">{why}</Notice>}
        {why === undefined && newest !== delivery && (
          <Notice tone="caution">
            The newest delivery is another one than the one that is open.
          </Notice>
        )}
        {blocking.map(({ action }, index) => (
          <Notice key={index} tone="caution">
            For you to do first: <Text>{action}</Text>
          </Notice>
        ))}
        {notes.length > 0 && (
          <Notice tone="caution">
            You have {counted(notes.length, 'note')} on its lines.{' '}
            {notes.length === 1 ? 'It stays here, and is' : 'They stay here, and are'} not sent.
          </Notice>
        )}
        <Undone of={leftUndone(objectives)} />
        <p>
          This closes the mission and merges nothing
          {commands.length > 0
            ? ': its branches stay as they are. To take the work over, run'
            : '.'}
        </p>
        {commands.length > 0 && <CallerChoice />}
        {commands.map((command) => (
          <CopyCommand key={command} command={command} />
        ))}
        {why === undefined && <ActionProblem of={accept} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        {hasUnseen && !isSending ? (
          <Button look="first" onClick={onNewest}>
            Show the new delivery
          </Button>
        ) : (
          <Button
            look="first"
            disabled={isSending || why !== undefined}
            onClick={() => void accept.send({ id: mission.id, expectedDeliveryId: seen })}
          >
            Accept
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** So many are named. */
const mostNamed = 5

/** What closing leaves as it is, and what that means. */
function Undone({ of }: { of: readonly ListedObjective[] }) {
  if (of.length === 0) return null
  const more = of.length - mostNamed
  return (
    <Notice tone="caution">
      {counted(of.length, 'objective')} {of.length === 1 ? 'is' : 'are'} not done:
      <ul>
        {of.slice(0, mostNamed).map(({ id, displayId, title, state }) => (
          <li key={id}>
            <Text>{`${displayId} ${title}`}</Text> ({objectiveWords[state].word})
          </li>
        ))}
        {more > 0 && <li>and {counted(more, 'more', 'more')}</li>}
      </ul>
      {of.length === 1 ? 'It stays as it is' : 'They stay as they are'}: nothing launches what is
      left in a closed mission, and nobody is asked to approve it.
    </Notice>
  )
}

import type { Mission } from '@svc/contracts/mission'
import type { ListedObjective } from '@svc/contracts/objective'
import { useState } from 'react'
import { isLaunchable } from '../../data/states.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { IdLink, Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { StepLink } from '../../shell/step-link.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { counted } from '../../words/counted.ts'
import { objectiveWords, phaseWords } from '../../words/states.ts'
import { AcceptDialog } from './accept.tsx'
import { atWork, leftUndone } from './acceptance.ts'
import { ChangesDialog } from './changes.tsx'
import styles from './decision.module.css'
import { decisionKeys } from './keys.ts'
import type { Branch, Delivery } from './story.ts'
import type { Notes } from './use-notes.ts'

interface DecisionProps {
  mission: Mission
  objectives: readonly ListedObjective[]
  /** The one that is open. */
  delivery: Delivery
  newest: Delivery
  notes: Notes
  /** In which order the files were read. */
  order: readonly string[]
  branches: readonly Branch[]
  /** What a link to this page wants done. */
  wanted: string | undefined
  /** Opens the newest delivery. */
  onNewest: () => void
}

type Open = 'accept' | 'changes' | undefined

/** What becomes of it, always at hand. */
export function Decision(props: DecisionProps) {
  const { mission, objectives, delivery, newest, notes, order, branches, wanted, onNewest } = props
  const { rights } = useWorkspace()
  const isClosed = mission.phase === 'complete' || mission.phase === 'cancelled'
  const busy = atWork(objectives)
  // changes that were asked for, and not launched yet
  const [waiting] = isClosed || busy ? [] : leftUndone(objectives).filter(isLaunchable)
  // the service accepts nothing over what is queued or runs
  const mayAccept = mission.phase === 'review' && !busy && rights.mayCall('acceptMission')
  const mayAsk = !isClosed && rights.mayCall('askForChanges')
  const [open, setOpen] = useState<Open>(wanted === 'changes' && mayAsk ? 'changes' : undefined)
  const accept = () => setOpen('accept')
  const changes = () => setOpen('changes')
  useKeys(
    open === undefined
      ? decisionKeys({ ...(mayAccept && { accept }), ...(mayAsk && { changes }) })
      : [],
  )
  const close = () => setOpen(undefined)
  return (
    <div className={styles['bar']} role="group" aria-label="Decision">
      <span className={styles['said']}>
        {notes.all.length > 0 && <strong>{counted(notes.all.length, 'note')}</strong>}
        {(busy || mission.phase !== 'review') && (
          <span>
            {busy
              ? `${busy.displayId} is ${objectiveWords[busy.state].word}: what it delivers comes here.`
              : phaseWords[mission.phase].sentence}{' '}
            <Link to={pathTo('mission', { mission: mission.displayId })}>See the mission</Link>
          </span>
        )}
        {waiting && rights.mayCall('launchObjective') && (
          <span>
            <IdLink id={waiting.displayId} /> is still to be done.{' '}
            <StepLink step={{ operation: 'launchObjective', params: { id: waiting.displayId } }} />
          </span>
        )}
        {mayAccept && notes.all.length === 0 && (
          <span className={styles['hint']}>Accepting merges nothing.</span>
        )}
      </span>
      {mayAsk && (
        <Button look={notes.all.length > 0 ? 'first' : 'second'} onClick={changes}>
          Ask for changes <Kbd>Shift R</Kbd>
        </Button>
      )}
      {mayAccept && (
        <Button look={notes.all.length > 0 ? 'second' : 'first'} onClick={accept}>
          Accept <Kbd>Shift A</Kbd>
        </Button>
      )}
      {open === 'accept' && (
        <AcceptDialog
          {...{ mission, objectives, delivery, newest, branches }}
          notes={notes.all}
          onClose={close}
          onNewest={() => {
            close()
            onNewest()
          }}
        />
      )}
      {open === 'changes' && (
        <ChangesDialog {...{ mission, delivery, notes, order }} onClose={close} />
      )}
    </div>
  )
}

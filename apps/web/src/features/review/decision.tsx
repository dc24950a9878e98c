import type { Mission } from '@svc/contracts/mission'
import { useState } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { counted } from '../../words/counted.ts'
import { phaseWords } from '../../words/states.ts'
import { AcceptDialog } from './accept.tsx'
import { ChangesDialog } from './changes.tsx'
import styles from './decision.module.css'
import { decisionKeys } from './keys.ts'
import type { Branch, Delivery } from './story.ts'
import type { Notes } from './use-notes.ts'

interface DecisionProps {
  mission: Mission
  delivery: Delivery
  notes: Notes
  /** In which order the files were read. */
  order: readonly string[]
  branches: readonly Branch[]
  /** What a link to this page wants done. */
  wanted: string | undefined
}

type Open = 'accept' | 'changes' | undefined

/** What becomes of it, always at hand. */
export function Decision(props: DecisionProps) {
  const { mission, delivery, notes, order, branches, wanted } = props
  const { rights } = useWorkspace()
  const isClosed = mission.phase === 'complete' || mission.phase === 'cancelled'
  const mayAccept = mission.phase === 'review' && rights.mayCall('acceptMission')
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
        {mission.phase !== 'review' && (
          <span>
            {phaseWords[mission.phase].sentence}{' '}
            <Link to={pathTo('mission', { mission: mission.displayId })}>See the mission</Link>
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
        <AcceptDialog {...{ mission, delivery, branches }} notes={notes.all} onClose={close} />
      )}
      {open === 'changes' && (
        <ChangesDialog {...{ mission, delivery, notes, order }} onClose={close} />
      )}
    </div>
  )
}

import type { BoardCard } from '@svc/contracts/board'
import { useRead } from '../../data/reads.ts'
import { isLaunchable } from '../../data/states.ts'
import { LaunchSheet } from '../../parts/launch/launch-sheet.tsx'
import { ButtonLink } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { launched, launchedRequest } from './reads.ts'

/** Launches the first objective of a mission that says what is to be done and has not begun. */
export function LaunchNext({ card, onClose }: { card: BoardCard; onClose: () => void }) {
  const { id, displayId } = card
  const read = useRead(launched, launchedRequest(id))
  const next = read.data?.objectives.find(isLaunchable)
  if (read.data && next) {
    return (
      <LaunchSheet
        mission={read.data.mission}
        objective={next}
        lastRun={read.data.executionRequests[0]}
        wanted={{}}
        onClose={onClose}
        onLaunched={() => undefined}
      />
    )
  }
  return (
    <Dialog title={`Launch ${displayId}`} onClose={onClose}>
      <Shown of={read} rows={2}>
        {({ objectives }) => (
          <>
            <p>
              {objectives.some(({ instruction }) => instruction.trim() !== '')
                ? 'Everything in it has begun. What comes next is an objective that is yet to be written.'
                : 'Nothing in it says what is to be done yet: write its first objective.'}
            </p>
            <DialogActions>
              <Button onClick={onClose}>Close</Button>
              <ButtonLink to={pathTo('mission', { mission: displayId }, { do: 'add-objective' })}>
                Write an objective
              </ButtonLink>
            </DialogActions>
          </>
        )}
      </Shown>
    </Dialog>
  )
}

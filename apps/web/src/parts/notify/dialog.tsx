import { useState } from 'react'
import { useStore, useWorkspace } from '../../data/use-workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { notify } from './show.ts'
import { useStanding } from './use-standing.ts'
import { about, hindrances, refusedByBrowser, turnedOn } from './words.ts'

/** Turns notifications on and off; the browser is asked by a click alone. */
export function NotifyDialog({ onClose }: { onClose: () => void }) {
  const { notify: setting } = useWorkspace()
  const isOn = useStore(setting)
  const standing = useStanding()
  const [isRefused, refuse] = useState(false)
  const turnOn = async () => {
    if ((await Notification.requestPermission()) !== 'granted') return
    const { title, body } = turnedOn
    // shows what one will see, and whether this browser shows it at all
    const shown = notify(title, { body, tag: 'svc:turned-on' })
    refuse(shown === undefined)
    setting.set(shown !== undefined)
  }
  const canBe = standing === 'granted' || standing === 'open'
  return (
    <Dialog title="Notifications" onClose={onClose}>
      {about.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p role="status">
        {!canBe
          ? hindrances[standing]
          : isRefused
            ? refusedByBrowser
            : isOn && standing === 'granted'
              ? 'They are on.'
              : 'They are off.'}
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {canBe && !(isOn && standing === 'granted') && (
          <Button look="first" onClick={() => void turnOn()}>
            {standing === 'open' ? 'Turn on: the browser asks' : 'Turn on'}
          </Button>
        )}
        {isOn && (
          <Button look="first" onClick={() => setting.set(false)}>
            Turn off
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

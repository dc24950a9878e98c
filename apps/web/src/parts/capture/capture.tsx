import { Dialog } from '../../ui/dialog.tsx'
import { CaptureForm } from './capture-form.tsx'

/** From anywhere, over what one was about to do. */
export function Capture({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="To your inbox" onClose={onClose}>
      <CaptureForm onNoted={onClose} />
    </Dialog>
  )
}

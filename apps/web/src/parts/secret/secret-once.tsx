import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'

interface SecretOnceProps {
  title: string
  /** As the answer had it: it is handed from there to here alone, and is in no cache, draft or address. */
  secret: string
  /** What it is, where it is no secret but a link. */
  what?: string
  /** What it is for, and where it goes. */
  children: ReactNode
  onKept: () => void
}

/** What is shown this once. It stays until somebody says that they have it: no key closes it by mistake. */
export function SecretOnce({
  title,
  secret,
  what = 'the secret',
  children,
  onKept,
}: SecretOnceProps) {
  const [pressed, setPressed] = useState(0)
  return (
    <Dialog key={pressed} title={title} onClose={() => setPressed((times) => times + 1)}>
      {children}
      <CopyText text={secret} what={what} />
      {pressed > 0 && (
        <Notice tone="caution">
          It is never shown again. Say that you have kept it, and this closes.
        </Notice>
      )}
      <DialogActions>
        <Button look="first" onClick={onKept}>
          I have kept it
        </Button>
      </DialogActions>
    </Dialog>
  )
}

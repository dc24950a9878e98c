import type { UserToken } from '@svc/contracts/user-token'
import type { Action } from '../../data/actions.ts'
import { Confirm } from '../../parts/confirm/confirm.tsx'
import { Text } from '../../ui/text.tsx'

interface RevokeTokenProps {
  token: UserToken
  action: Action<'revokeUserToken'> | Action<'revokeWorkspaceToken'>
  onConfirm: () => void
  onClose: () => void
}

export function RevokeToken({ token: { label, prefix }, ...props }: RevokeTokenProps) {
  return (
    <Confirm title="Revoke the token" label="Revoke it" isDanger {...props}>
      <p>
        Whatever uses <Text>{label}</Text> (<code>{prefix}…</code>) is refused at once, and with it
        every token that it has made. A runner that works by it stops. Nobody can take that back.
      </p>
    </Confirm>
  )
}

/** What the browser says to notifications of this page. */
export type Standing = 'absent' | 'insecure' | 'denied' | 'open' | 'granted'

interface Surroundings {
  isSecureContext: boolean
  Notification?: { readonly permission: NotificationPermission }
}

export function standingOf({ isSecureContext, Notification }: Surroundings): Standing {
  if (!isSecureContext) return 'insecure'
  if (Notification === undefined) return 'absent'
  return Notification.permission === 'default' ? 'open' : Notification.permission
}

import { useEffect, useRef } from 'react'
import { useWorkspace } from '../data/use-workspace.ts'
import { toast } from '../ui/toast-store.ts'

/** Says that somebody has given this person another role, since what is on the page has changed with it. */
export function RoleChange() {
  const { role } = useWorkspace().me
  const before = useRef(role)
  useEffect(() => {
    if (before.current !== role) toast(`Your role here is ${role} now`)
    before.current = role
  }, [role])
  return null
}

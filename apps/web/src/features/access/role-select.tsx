import type { Role } from '@svc/contracts/permissions'
import { roles } from '../../data/access.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Select } from '../../ui/select.tsx'
import { roleWords } from '../../words/access.ts'

interface RoleSelectProps {
  value: Role
  onChoose: (role: Role) => void
}

/** The roles that somebody may give: none that is more than their own. */
export function RoleSelect({ value, onChoose }: RoleSelectProps) {
  const { me } = useWorkspace()
  const given = roles.slice(roles.indexOf(me.role))
  return (
    <Select
      label="Role"
      value={value}
      choices={given.map((role) => ({ value: role, text: role }))}
      hint={roleWords[value]}
      onChoose={(chosen) => onChoose(given.find((role) => role === chosen) ?? value)}
    />
  )
}

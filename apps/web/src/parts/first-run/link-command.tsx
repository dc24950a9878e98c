import { useState } from 'react'
import { CopyCommand } from '../../ui/copy.tsx'
import { Field } from '../../ui/field.tsx'
import { type Caller, useCaller } from '../../ui/svc-caller.ts'
import { CallerChoice } from './caller-choice.tsx'
import { type Link, linkCommand } from './commands.ts'

interface LinkCommandProps extends Omit<Link, 'path'> {
  likely?: Caller | undefined
}

/** The command that links a repository on a machine, for the folder that is typed, as `svc` is called there. */
export function LinkCommand(props: LinkCommandProps) {
  return (
    <>
      <CallerChoice likely={props.likely} />
      <FolderToLink {...props} />
    </>
  )
}

/** The same where how `svc` is called there is chosen above it. */
export function FolderToLink({ likely, ...link }: LinkCommandProps) {
  const caller = useCaller(likely)
  const [typed, setPath] = useState<string>()
  // npm runs in the clone of svc, which is not what anybody has come to link
  const path = typed ?? (caller === 'installed' ? '.' : '')
  return (
    <>
      <Field
        label="Folder of the repository there"
        hint={
          caller === 'installed'
            ? 'Its top folder. A dot is the folder that the command is typed in.'
            : 'Its top folder, with the whole path. The command to run appears once it is typed.'
        }
        placeholder="~/code/web"
        value={path}
        onChange={(event) => setPath(event.target.value)}
      />
      {path.trim() !== '' && (
        <CopyCommand command={linkCommand({ ...link, path })} likely={likely} />
      )}
    </>
  )
}

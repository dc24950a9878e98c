import type { RouteOutput } from '@svc/contracts/rest'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../data/actions.ts'
import { presetPermissions, tokenPresets } from '../../data/access.values.ts'
import { limits } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { SecretOnce } from '../../parts/secret/secret-once.tsx'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Text } from '../../ui/text.tsx'
import { presetWords, rightsInWords } from '../../words/access.ts'
import styles from './access.module.css'
import type { AskedToken } from './asked.ts'
import { type TokenForm, problemOfDays, readToken, writeToken } from './forms.ts'
import { OfProjects } from './of-projects.tsx'
import { workspace } from './reads.ts'

interface CreateTokenProps {
  asked: AskedToken | undefined
  onClose: () => void
}

export function CreateToken({ asked, onClose }: CreateTokenProps) {
  const read = useRead(workspace, {})
  const [made, setMade] = useState<RouteOutput<'createUserToken'>>()
  if (made) return <NewSecret made={made} onKept={onClose} />
  return (
    <Dialog title="New token" onClose={onClose} isSheet>
      <Shown of={read} rows={4}>
        {({ workspace: { maxTokenDays } }) => (
          <Form asked={asked} mostDays={maxTokenDays} onMade={setMade} onClose={onClose} />
        )}
      </Shown>
    </Dialog>
  )
}

interface FormProps extends CreateTokenProps {
  mostDays: number
  onMade: (made: RouteOutput<'createUserToken'>) => void
}

function Form({ asked, mostDays, onMade, onClose }: FormProps) {
  // what a link asks for is not what somebody has begun to write here
  const draft = asked ? `token:${asked.label}` : 'token'
  const begun = { ...readToken('', mostDays), label: asked?.label ?? '' }
  const first = writeToken({ ...begun, preset: asked?.preset ?? begun.preset })
  const [text, setText] = useDraft(draft, first, { makesNew: true })
  const form = readToken(text, mostDays)
  const [problem, setProblem] = useState<string>()
  const create = useAction('createUserToken', { draft, onDone: onMade })
  const write = (next: Partial<TokenForm>) => setText(writeToken({ ...form, ...next }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemOfDays(form.days, mostDays)
    setProblem(wrong)
    if (wrong !== undefined) return
    const { label, preset, days, projectIds } = form
    const bound = projectIds === null ? {} : { projectIds: [...projectIds] }
    void create.send({ label: label.trim(), preset, expiresInDays: Number(days), ...bound })
  }
  return (
    <form onSubmit={submit}>
      <Field
        label="What it is for"
        required
        maxLength={limits.titleCharacters}
        value={form.label}
        onChange={(event) => write({ label: event.target.value })}
      />
      <Preset value={form.preset} onChoose={(preset) => write({ preset })} />
      <OfProjects value={form.projectIds} onChange={(projectIds) => write({ projectIds })} />
      <Field
        label="Good for how many days"
        required
        inputMode="numeric"
        autoComplete="off"
        value={form.days}
        problem={problem}
        hint={`At most ${mostDays} in this workspace.`}
        onChange={(event) => write({ days: event.target.value })}
      />
      <ActionProblem of={create} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="first" type="submit" disabled={create.state.name === 'sending'}>
          Create
        </Button>
      </DialogActions>
    </form>
  )
}

interface PresetProps {
  value: TokenForm['preset']
  onChoose: (preset: TokenForm['preset']) => void
}

/** What the token may do, in words: what its preset gives, as far as the role of its person gives it, too. */
function Preset({ value, onChoose }: PresetProps) {
  const { role } = useWorkspace().me
  return (
    <>
      <Select
        label="What it may do"
        value={value}
        choices={tokenPresets.map((preset) => ({ value: preset, text: preset }))}
        hint={presetWords[value]}
        onChoose={(chosen) => onChoose(tokenPresets.find((one) => one === chosen) ?? value)}
      />
      <ul className={styles['words']} aria-label="With it one may">
        {rightsInWords(presetPermissions[value], role).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </>
  )
}

interface NewSecretProps {
  made: RouteOutput<'createUserToken'>
  onKept: () => void
}

function NewSecret({ made: { userToken, token }, onKept }: NewSecretProps) {
  return (
    <SecretOnce title="The token, shown this once" secret={token} what="the token" onKept={onKept}>
      <p>
        Keep <Text>{userToken.label}</Text> in a file that nobody else can read, or in a store of
        secrets. Whoever has it acts as you.
      </p>
      <p className={styles['quiet']}>
        {userToken.preset === 'runner'
          ? 'A runner is started with it as SVC_USER_TOKEN, and with the address of this service as SVC_BACKEND_URL.'
          : 'svc and most programs read it from SVC_USER_TOKEN; over HTTP it is sent as a bearer token.'}
      </p>
    </SecretOnce>
  )
}

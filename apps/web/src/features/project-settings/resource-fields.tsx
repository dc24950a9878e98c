import { Check } from '../../ui/check.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { Problems } from './launch-request.ts'
import type { ResourceForm } from './resource-form.ts'

interface ResourceFieldsProps {
  form: ResourceForm
  /** Of the project. */
  defaultBranch: string
  /** It has its key for good. */
  isThere: boolean
  problems: Problems
  change: (form: ResourceForm) => void
}

export function ResourceFields(props: ResourceFieldsProps) {
  const { form, defaultBranch, isThere, problems, change } = props
  const isReadOnly = form.permission === 'ro'
  return (
    <>
      {!isThere && (
        <Field
          label="Key"
          hint="Its name in the project, such as web: small letters, digits, dot, dash and underscore."
          autoComplete="off"
          spellCheck={false}
          value={form.key}
          problem={problems.get('resourceKey')}
          onChange={(event) => change({ ...form, key: event.target.value })}
        />
      )}
      <Select
        label="What agents may do with it"
        value={isReadOnly ? 'ro' : 'rw'}
        choices={[
          { value: 'rw', text: 'read and write: runs are started in it' },
          { value: 'ro', text: 'read: no run is started in it' },
        ]}
        onChoose={(permission) => change({ ...form, permission })}
      />
      <Field
        label="Branch that work starts from"
        hint="Empty: the default branch of the project."
        autoComplete="off"
        spellCheck={false}
        placeholder={defaultBranch}
        value={form.branch}
        problem={problems.get('defaultBranch')}
        onChange={(event) => change({ ...form, branch: event.target.value })}
      />
      <Field
        label="Address that it is cloned from"
        hint="For runners that are started for one launch and have no checkout: https or ssh, without a password. Their machines have to trust it. Empty: they clone it from nowhere."
        autoComplete="off"
        spellCheck={false}
        placeholder="https://git.example.com/acme/web.git"
        value={form.cloneUrl}
        problem={problems.get('cloneUrl')}
        onChange={(event) => change({ ...form, cloneUrl: event.target.value })}
      />
      <Check
        checked={form.primary === 'yes' && !isReadOnly}
        disabled={isReadOnly}
        hint="It is used where a launch and its objective name no resource. A project has one at most; the first that may be written to is it by itself."
        onChange={(isPrimary) => change({ ...form, primary: isPrimary ? 'yes' : 'no' })}
      >
        Primary
      </Check>
    </>
  )
}

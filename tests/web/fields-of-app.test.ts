import { describe, expect, test } from 'vitest'
import { sources } from './actions-of-app.ts'

/** What is written there is not sent: it looks for something, or makes a command to copy. */
const asked = [
  'features/audit/day-field.tsx',
  'features/board/filter-bar.tsx',
  'features/project-settings/preview-panel.tsx',
  'features/review/find-file.tsx',
  'features/run/log/find-bar.tsx',
  'features/search/search-form.tsx',
  'parts/first-run/link-command.tsx',
  'shell/find.tsx',
]

const ofLaunches = ['features/project-settings/launch-form.tsx']
const ofWebhooks = ['features/webhooks/create-webhook.tsx', 'features/webhooks/edit-webhook.tsx']

/** Whoever draws these keeps what is written as a draft, in the files that stand next to them. */
const keptBy: Readonly<Record<string, readonly string[]>> = {
  'features/inbox/objective-fields.tsx': ['features/inbox/turn-item.tsx'],
  'features/mission/instruction.tsx': ['features/mission/use-instruction.ts'],
  'features/project-settings/agent-fields.tsx': ofLaunches,
  'features/project-settings/check-fields.tsx': ofLaunches,
  'features/project-settings/launch-fields.tsx': ofLaunches,
  'features/project-settings/resource-fields.tsx': [
    'features/project-settings/add-resource.tsx',
    'features/project-settings/change-resource.tsx',
  ],
  'features/review/note-box.tsx': ['features/review/use-notes.ts'],
  'features/webhooks/event-picker.tsx': ofWebhooks,
  'features/webhooks/fields.tsx': ofWebhooks,
  'parts/budget/budget-fields.tsx': [
    'features/mission/settings.tsx',
    'features/usage/raise-budget.tsx',
  ],
  'parts/launch/choices.tsx': ['parts/launch/launch-sheet.tsx'],
}

const field = /<(?:Field|Area|textarea|input)\b(?![^>]*type="(?:checkbox|file|radio)")/
const draft = /\buse(?:DraftForm|Draft|EditedParts|Edited)\(|\bdrafts\.write\(/

describe('a field that somebody writes into', () => {
  const all = sources()
  const withField = all.filter(({ file, text }) => !file.startsWith('ui/') && field.test(text))
  const isDraft = (file: string) => draft.test(all.find((one) => one.file === file)?.text ?? '')

  test.each(withField.map(({ file }) => file).filter((file) => !asked.includes(file)))(
    'is a draft: %s',
    (file) => {
      expect((keptBy[file] ?? [file]).filter((one) => !isDraft(one))).toEqual([])
    },
  )

  test('is there, where it is said to be another thing with it', () => {
    const files = withField.map(({ file }) => file)
    expect(files).toEqual(expect.arrayContaining([...asked, ...Object.keys(keptBy)]))
  })
})

import { expect, test } from 'vitest'
import { questionKeys } from './keys.ts'

const option = (id: string) => ({ id, label: `Option ${id}` })

test('an option is chosen by its number, the first nine of them, and other words by a', () => {
  const chosen: string[] = []
  const options = Array.from({ length: 12 }, (_, index) => option(`o${index + 1}`))
  const keys = questionKeys(
    { options, allowFreeText: true },
    { choose: (id) => chosen.push(id), write: () => chosen.push('write') },
  )
  for (const { run } of keys) run()
  expect(keys.map((key) => key.keys)).toEqual('1 2 3 4 5 6 7 8 9 a'.split(' '))
  expect(chosen).toEqual([...options.slice(0, 9).map(({ id }) => id), 'write'])
})

test('a question without options is answered in words, and one that takes none by its options alone', () => {
  const does = { choose: () => undefined, write: () => undefined }
  const names = (question: Parameters<typeof questionKeys>[0]) =>
    questionKeys(question, does).map((key) => key.keys)
  expect(names({ options: [], allowFreeText: false })).toEqual(['a'])
  expect(names({ options: [option('x')], allowFreeText: false })).toEqual(['1'])
})

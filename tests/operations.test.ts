import { openApiDocument } from '@svc/contracts/openapi/document'
import { operations, personOperations } from '@svc/domain/testing/operations'
import { expect, test } from 'vitest'

test('whatever the API describes that wants to know who asks is asked by the matrix of access and by the fuzz', () => {
  const described = Object.entries(openApiDocument().paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  const asked = [...operations, ...personOperations].map(
    ({ endpoint: { method, path } }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(asked.toSorted()).toEqual(described.toSorted())
})

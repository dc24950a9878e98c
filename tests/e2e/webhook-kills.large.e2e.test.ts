import { verifies } from '@svc/testing/verifies'
import { losesNoDelivery } from './webhook-kills.ts'

losesNoDelivery(
  verifies(
    'webhook.at-least-once',
    'two dispatchers that are killed and paused lose no delivery, and repeat one only with the same id and body',
  ),
  { deliveries: 400 },
)

# frozen_string_literal: true

# Reseller: customers and their subscriptions.

SKU = 'Google-Apps-Unlimited'

def make_customer
  address = Reseller::Address.new(
    contact_name: 'Ada', organization_name: 'Crew', country_code: 'US', postal_code: '94043', region: 'CA', locality: 'Mountain View'
  )
  SHOP.insert_customer(
    Reseller::Customer.new(
      customer_domain: "#{fresh('shop')}.example.org", alternate_email: 'ada@example.net', phone_number: '+16505550100', postal_address: address
    )
  )
end

def subscribe(plan)
  id = make_customer.customer_id
  seats = plan.start_with?('ANNUAL') ? { number_of_seats: 10 } : { maximum_number_of_seats: 10 }
  SHOP.insert_subscription(
    id,
    Reseller::Subscription.new(
      customer_id: id, sku_id: SKU, seats: Reseller::Seats.new(**seats), plan: Reseller::Subscription::Plan.new(plan_name: plan),
      renewal_settings: Reseller::RenewalSettings.new(renewal_type: 'AUTO_RENEW_MONTHLY_PAY')
    )
  )
end

def read_subscription(made)
  SHOP.get_subscription(made.customer_id, made.subscription_id)
end

judge 'reseller: a customer is found by id and by domain, and patched' do
  made = make_customer
  SHOP.patch_customer(made.customer_id, Reseller::Customer.new(alternate_email: 'eve@example.net'))
  got = SHOP.get_customer(made.customer_domain)
  same [got.customer_id, got.alternate_email, got.postal_address.locality], [made.customer_id, 'eve@example.net', 'Mountain View']
end

judge 'reseller: an annual plan is answered as ANNUAL, with whole numbers for its times' do
  got = read_subscription(subscribe('ANNUAL_MONTHLY_PAY'))
  same [got.plan.plan_name, got.plan.is_commitment_plan, got.seats.number_of_seats, got.status], ['ANNUAL', true, 10, 'ACTIVE']
  days = (got.plan.commitment_interval.end_time - got.plan.commitment_interval.start_time) / 86_400_000
  holds days.between?(364, 367), days
end

judge 'reseller: seats and renewal settings change' do
  made = subscribe('FLEXIBLE')
  SHOP.change_subscription_seats(made.customer_id, made.subscription_id, Reseller::Seats.new(maximum_number_of_seats: 30))
  same read_subscription(made).seats.maximum_number_of_seats, 30
  annual = subscribe('ANNUAL_MONTHLY_PAY')
  SHOP.change_subscription_renewal_settings(annual.customer_id, annual.subscription_id, Reseller::RenewalSettings.new(renewal_type: 'CANCEL'))
  same read_subscription(annual).renewal_settings.renewal_type, 'CANCEL'
end

judge 'reseller: a plan changes, under the id that the answer says' do
  made = subscribe('FLEXIBLE')
  wanted = Reseller::ChangePlanRequest.new(plan_name: 'ANNUAL_MONTHLY_PAY', seats: Reseller::Seats.new(number_of_seats: 10), purchase_order_id: 'po-2')
  got = read_subscription(SHOP.change_subscription_plan(made.customer_id, made.subscription_id, wanted))
  same [got.plan.plan_name, got.purchase_order_id], %w[ANNUAL po-2]
end

judge 'reseller: suspended, activated, cancelled' do
  made = subscribe('FLEXIBLE')
  SHOP.suspend_subscription(made.customer_id, made.subscription_id)
  got = read_subscription(made)
  same [got.status, got.suspension_reasons], ['SUSPENDED', ['RESELLER_INITIATED']]
  SHOP.activate_subscription(made.customer_id, made.subscription_id)
  same read_subscription(made).status, 'ACTIVE'
  SHOP.delete_subscription(made.customer_id, made.subscription_id, 'cancel')
  left = SHOP.list_subscriptions(customer_id: made.customer_id).subscriptions || []
  holds left.none? { |one| one.status == 'ACTIVE' }, left.map(&:status)
end

judge 'reseller: a trial becomes a paid service once it has a plan' do
  made = subscribe('TRIAL')
  same read_subscription(made).trial_settings.is_in_trial, true
  same refusal { SHOP.start_subscription_paid_service(made.customer_id, made.subscription_id) }.status_code, 412
  wanted = Reseller::ChangePlanRequest.new(plan_name: 'FLEXIBLE', seats: Reseller::Seats.new(maximum_number_of_seats: 10))
  made = SHOP.change_subscription_plan(made.customer_id, made.subscription_id, wanted)
  SHOP.start_subscription_paid_service(made.customer_id, made.subscription_id)
  same read_subscription(made).trial_settings.is_in_trial, false
end

judge 'reseller: fetch_all walks subscriptions' do
  wanted = Array.new(3) { subscribe('FLEXIBLE').subscription_id }
  found = SHOP.fetch_all(items: :subscriptions) { |token| SHOP.list_subscriptions(max_results: 2, page_token: token) }
  holds (wanted - found.map(&:subscription_id)).empty?
end

judge 'reseller: watch details name the accounts that are registered' do
  mail = "#{fresh('robot')}@sub.example.org"
  SHOP.register_resellernotify(service_account_email_address: mail)
  holds SHOP.getwatchdetails_resellernotify.service_account_email_addresses.include?(mail)
  SHOP.unregister_resellernotify(service_account_email_address: mail)
  holds !(SHOP.getwatchdetails_resellernotify.service_account_email_addresses || []).include?(mail)
end

judge 'reseller: a customer that is not there and one that is there are refused' do
  same refusal { SHOP.get_customer("#{fresh('nobody')}.example.org") }.status_code, 404
  made = make_customer
  again = Reseller::Customer.new(customer_domain: made.customer_domain, alternate_email: made.alternate_email, postal_address: made.postal_address)
  same refusal { SHOP.insert_customer(again) }.status_code, 409
end

# frozen_string_literal: true

# AdMob v1beta, as this client knows it: accounts, apps, ad units, reports.

PUBLISHER = "accounts/pub-8#{NUMBER.rjust(15, '0')}"

def make_app(name)
  seed('admob.accounts.apps.create', { parent: PUBLISHER }, platform: 'IOS', manualAppInfo: { displayName: name })
  apps = ADMOB.fetch_all(items: :apps) { |token| ADMOB.list_account_apps(PUBLISHER, page_size: 1, page_token: token) }
  apps.find { |one| one.manual_app_info&.display_name == name }
end

judge 'admob: an account is read and listed' do
  got = ADMOB.get_account(PUBLISHER)
  same "accounts/#{got.publisher_id}", PUBLISHER
  found = ADMOB.fetch_all(items: :account) { |token| ADMOB.list_accounts(page_size: 1, page_token: token) }
  holds found.map(&:name).include?(PUBLISHER)
end

judge 'admob: apps are walked by fetch_all' do
  first = make_app(fresh('App'))
  other = make_app(fresh('App'))
  same [first.platform, other.platform], %w[IOS IOS]
  holds first.app_id != other.app_id
end

judge 'admob: ad units are listed with their format and types' do
  app = make_app(fresh('App'))
  name = fresh('Unit')
  seed('admob.accounts.adUnits.create', { parent: PUBLISHER }, appId: app.app_id, displayName: name, adFormat: 'REWARDED', adTypes: %w[RICH_MEDIA VIDEO])
  units = ADMOB.fetch_all(items: :ad_units) { |token| ADMOB.list_account_ad_units(PUBLISHER, page_size: 2, page_token: token) }
  got = units.find { |one| one.display_name == name }
  same [got.app_id, got.ad_format, got.ad_types], [app.app_id, 'REWARDED', %w[RICH_MEDIA VIDEO]]
end

judge 'admob: a network report is generated' do
  day = Admob::Date.new(year: 2026, month: 1, day: 1)
  spec = Admob::NetworkReportSpec.new(date_range: Admob::DateRange.new(start_date: day, end_date: day), metrics: %w[CLICKS], dimensions: %w[DATE])
  holds ADMOB.generate_network_report(PUBLISHER, Admob::GenerateNetworkReportRequest.new(report_spec: spec)).header
end

judge 'admob: an account of nobody is refused' do
  same refusal { ADMOB.get_account('accounts/not-a-publisher') }.status_code, 400
end

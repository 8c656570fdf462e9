package main

import (
	"strings"

	admin "google.golang.org/api/admin/directory/v1"
)

func makeUnit(parent string) *admin.OrgUnit {
	unit := &admin.OrgUnit{Name: fresh("Unit"), ParentOrgUnitPath: parent, Description: "People"}
	return must(directory.Orgunits.Insert("my_customer", unit).Do())
}

// enrol makes a device that enrols itself: what no method of the vendor does.
func enrol() *admin.ChromeOsDevice {
	serial := fresh("SN")
	seed("emulator.chromeosdevices.enroll", object{}, object{"serialNumber": serial, "model": "Test Book"})
	found := must(directory.Chromeosdevices.List("my_customer").Query("id:" + serial).Do()).Chromeosdevices
	same(len(found), 1)
	return found[0]
}

func init() {
	judge("directory: an org unit is found by path and by id, and under its parent", func() {
		parent := makeUnit("/")
		child := makeUnit(parent.OrgUnitPath)
		same(must(directory.Orgunits.Get("my_customer", strings.TrimPrefix(child.OrgUnitPath, "/")).Do()).OrgUnitId, child.OrgUnitId)
		same(must(directory.Orgunits.Get("my_customer", child.OrgUnitId).Do()).OrgUnitPath, child.OrgUnitPath)
		listed := must(directory.Orgunits.List("my_customer").OrgUnitPath(parent.OrgUnitPath).Type("all").Do()).OrganizationUnits
		same([]any{len(listed), listed[0].ParentOrgUnitId}, []any{1, parent.OrgUnitId})
	})

	judge("directory: orgunits.update of the name keeps the description", func() {
		unit, name := makeUnit("/"), fresh("Renamed")
		must(directory.Orgunits.Update("my_customer", strings.TrimPrefix(unit.OrgUnitPath, "/"), &admin.OrgUnit{Name: name}).Do())
		got := must(directory.Orgunits.Get("my_customer", unit.OrgUnitId).Do())
		same([]string{got.Name, got.Description}, []string{name, "People"})
	})

	judge("directory: orgunits.patch moves a unit with those in it", func() {
		there, unit := makeUnit("/"), makeUnit("/")
		user := makeUser(func(user *admin.User) { user.OrgUnitPath = unit.OrgUnitPath })
		must(directory.Orgunits.Patch("my_customer", unit.OrgUnitId, &admin.OrgUnit{ParentOrgUnitId: there.OrgUnitId}).Do())
		same(readUser(user.Id).OrgUnitPath, there.OrgUnitPath+"/"+unit.Name)
	})

	judge("directory: an empty org unit is deleted", func() {
		unit := makeUnit("/")
		done(directory.Orgunits.Delete("my_customer", unit.OrgUnitId).Do())
		same(refusal(second(directory.Orgunits.Get("my_customer", unit.OrgUnitId).Do())).Code, 404)
	})

	judge("directory: customers.patch changes a part of the address and keeps the rest", func() {
		address := &admin.CustomerPostalAddress{OrganizationName: "Crew", CountryCode: "NL"}
		must(directory.Customers.Patch("my_customer", &admin.Customer{PhoneNumber: "+15550100", PostalAddress: address}).Do())
		must(directory.Customers.Patch(customer, &admin.Customer{PostalAddress: &admin.CustomerPostalAddress{Locality: "Delft"}}).Do())
		got := must(directory.Customers.Get("my_customer").Do())
		same([]string{got.Id, got.PhoneNumber, got.PostalAddress.Locality, got.PostalAddress.OrganizationName}, []string{customer, "+15550100", "Delft", "Crew"})
	})

	judge("directory: customers.update of the language keeps the phone", func() {
		must(directory.Customers.Patch("my_customer", &admin.Customer{PhoneNumber: "+15550111"}).Do())
		must(directory.Customers.Update("my_customer", &admin.Customer{Language: "de"}).Do())
		got := must(directory.Customers.Get("my_customer").Do())
		same([]string{got.Language, got.PhoneNumber}, []string{"de", "+15550111"})
	})

	judge("directory: a domain has whole numbers for times, and its alias", func() {
		name, alias := fresh("d")+"."+domain, fresh("a")+"."+domain
		made := must(directory.Domains.Insert("my_customer", &admin.Domains{DomainName: name}).Do())
		holds(made.CreationTime > 1_500_000_000_000, made.CreationTime)
		must(directory.DomainAliases.Insert("my_customer", &admin.DomainAlias{DomainAliasName: alias, ParentDomainName: name}).Do())
		got := must(directory.Domains.Get("my_customer", name).Do())
		same([]any{got.IsPrimary, got.DomainAliases[0].DomainAliasName}, []any{false, alias})
		done(directory.DomainAliases.Delete("my_customer", alias).Do())
		done(directory.Domains.Delete("my_customer", name).Do())
		same(refusal(second(directory.Domains.Get("my_customer", name).Do())).Code, 404)
	})

	judge("directory: ids of roles and assignments are whole numbers that lead back", func() {
		privilege := must(directory.Privileges.List("my_customer").Do()).Items[0]
		role := must(directory.Roles.Insert("my_customer", &admin.Role{
			RoleName:       fresh("Role"),
			RolePrivileges: []*admin.RoleRolePrivileges{{PrivilegeName: privilege.PrivilegeName, ServiceId: privilege.ServiceId}},
		}).Do())
		user := makeUser(nil)
		made := must(directory.RoleAssignments.Insert("my_customer", &admin.RoleAssignment{RoleId: role.RoleId, AssignedTo: user.Id, ScopeType: "CUSTOMER"}).Do())
		holds(made.RoleAssignmentId > 0 && role.RoleId > 0, made)
		found := must(directory.RoleAssignments.List("my_customer").UserKey(user.Id).Do()).Items
		same([]any{len(found), found[0].RoleAssignmentId, found[0].RoleId}, []any{1, made.RoleAssignmentId, role.RoleId})
	})

	judge("directory: a building has coordinates with fractions", func() {
		building := &admin.Building{
			BuildingId:   fresh("house"),
			BuildingName: fresh("House"),
			FloorNames:   []string{"G", "1"},
			Coordinates:  &admin.BuildingCoordinates{Latitude: 52.3702157, Longitude: -4.8951679},
		}
		must(directory.Resources.Buildings.Insert("my_customer", building).Do())
		got := must(directory.Resources.Buildings.Get("my_customer", building.BuildingId).Do())
		same(*got.Coordinates, *building.Coordinates)
		same(got.FloorNames, building.FloorNames)
	})

	judge("directory: calendars.update keeps what is left out, and a feature is renamed in it", func() {
		name, renamed := fresh("Screen"), fresh("Wall")
		must(directory.Resources.Features.Insert("my_customer", &admin.Feature{Name: name}).Do())
		room := &admin.CalendarResource{ResourceId: fresh("room"), ResourceName: "Nest", Capacity: 4}
		room.FeatureInstances = []admin.FeatureInstance{{Feature: &admin.Feature{Name: name}}}
		must(directory.Resources.Calendars.Insert("my_customer", room).Do())
		must(directory.Resources.Calendars.Update("my_customer", room.ResourceId, &admin.CalendarResource{ResourceName: "Brig"}).Do())
		done(directory.Resources.Features.Rename("my_customer", name, &admin.FeatureRename{NewName: renamed}).Do())
		got := must(directory.Resources.Calendars.Get("my_customer", room.ResourceId).Do())
		same([]any{got.ResourceName, got.Capacity}, []any{"Brig", int64(4)})
		same(got.FeatureInstances.([]any)[0].(object)["feature"].(object)["name"], any(renamed))
	})

	judge("directory: chromeosdevices.update of the org unit keeps notes and asset id", func() {
		device, unit := enrol(), makeUnit("/")
		must(directory.Chromeosdevices.Patch("my_customer", device.DeviceId, &admin.ChromeOsDevice{Notes: "Mast", AnnotatedAssetId: "A1"}).Do())
		must(directory.Chromeosdevices.Update("my_customer", device.DeviceId, &admin.ChromeOsDevice{OrgUnitPath: unit.OrgUnitPath}).Do())
		got := must(directory.Chromeosdevices.Get("my_customer", device.DeviceId).Do())
		same([]string{got.OrgUnitPath, got.Notes, got.AnnotatedAssetId}, []string{unit.OrgUnitPath, "Mast", "A1"})
	})

	judge("directory: devices are moved, disabled and given commands", func() {
		device, unit := enrol(), makeUnit("/")
		move := &admin.ChromeOsMoveDevicesToOu{DeviceIds: []string{device.DeviceId}}
		done(directory.Chromeosdevices.MoveDevicesToOu("my_customer", unit.OrgUnitPath, move).Do())
		chromeos := directory.Customer.Devices.Chromeos
		command := must(chromeos.IssueCommand("my_customer", device.DeviceId, &admin.DirectoryChromeosdevicesIssueCommandRequest{CommandType: "REBOOT"}).Do())
		same(must(chromeos.Commands.Get("my_customer", device.DeviceId, command.CommandId).Do()).Type, "REBOOT")
		done(directory.Chromeosdevices.Action("my_customer", device.DeviceId, &admin.ChromeOsDeviceAction{Action: "disable"}).Do())
		got := must(directory.Chromeosdevices.Get("my_customer", device.DeviceId).Do())
		same([]string{got.OrgUnitPath, got.Status}, []string{unit.OrgUnitPath, "DISABLED"})
	})

	judge("directory: a password of an application has a whole number and is ended", func() {
		user := makeUser(nil)
		seed("emulator.asps.issue", object{"userKey": user.Id}, object{"codeId": 7, "name": "Mail"})
		same(must(directory.Asps.Get(user.Id, 7).Do()).Name, "Mail")
		done(directory.Asps.Delete(user.Id, 7).Do())
		same(len(must(directory.Asps.List(user.Id).Do()).Items), 0)
	})
}
